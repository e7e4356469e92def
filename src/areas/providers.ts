/** Providers: carriers, couriers and lockers that push scans. */
import { PROVIDER_EXAMPLES } from '../api/areas/providers/examples.js';
import { providerAdministration } from '../api/areas/providers/administration.js';
import { providerOperations } from '../api/areas/providers/operations.js';
import { providerSettings } from '../api/areas/providers/settings.js';
import { createUnmappedStatuses } from '../engines/postgres/unmapped-statuses.js';
import { PROVIDER_EVENTS, PROVIDER_PREFIX } from '../events/providers/events.js';
import { createProviderList, createProviderQueries } from '../projections/providers/queries.js';
import { providers as providerRows } from '../projections/providers/read-model.js';
import { area } from './area.js';

export const providers = area({
  name: 'providers',
  examples: PROVIDER_EXAMPLES,
  streams: [{ prefix: PROVIDER_PREFIX, events: PROVIDER_EVENTS, tenant: 'actor' }],
  readModels: [providerRows],
  errors: { UNKNOWN_PROVIDER: 422 },
  services: ({ engines: { pool }, database, logger }) => ({
    queries: createProviderQueries(pool),
    list: createProviderList({ database }),
    unmapped: createUnmappedStatuses(pool, (err) => logger.warn({ err }, 'unmapped statuses were not counted')),
  }),
  operations: ({ unmapped, queries, list }, { commands: { providers: handle } }) => [
    ...providerOperations({ handle, unmapped }),
    ...providerSettings({ handle, queries }),
    ...providerAdministration({ handle, queries, list }),
  ],
  close: ({ unmapped }) => unmapped.settled(),
  sweep: ({ unmapped }) => unmapped.sweep(),
});
