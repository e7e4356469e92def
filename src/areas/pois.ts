/** Points of interest: places that are visible to the staff of a business, or to the public. */
import { POI_EXAMPLES } from '../api/areas/pois/examples.js';
import { poiOperations } from '../api/areas/pois/operations.js';
import { pois as decider } from '../commands/pois/decider.js';
import { POI_EVENTS, POI_PREFIX } from '../events/pois/events.js';
import { createPoiQueries } from '../projections/pois/queries.js';
import { createSharedPois } from '../projections/pois/shared.js';
import { POI_IDS, pois as poiRows } from '../projections/pois/read-model.js';
import { area } from './area.js';

export const pois = area({
  name: 'pois',
  examples: POI_EXAMPLES,
  streams: [{ prefix: POI_PREFIX, events: POI_EVENTS, tenant: 'business', erasure: 'own' }],
  readModels: [poiRows],
  sequences: [POI_IDS],
  errors: { POI_NOT_FOUND: 404, TOO_MANY_POIS: 409 },
  services: ({ database, now, engines: { keyRing } }) => ({
    queries: createPoiQueries(database, keyRing),
    shared: createSharedPois(database, keyRing, now),
  }),
  operations: (services, { handle }) => poiOperations({ handle: handle(decider), ...services }),
});
