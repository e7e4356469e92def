/** Address books: addresses that a business or one of its customers stores. */
import { ADDRESS_EXAMPLES } from '../api/areas/addresses/examples.js';
import { addressOperations } from '../api/areas/addresses/operations.js';
import { addresses as decider } from '../commands/addresses/decider.js';
import { ADDRESS_EVENTS, ADDRESS_PREFIX } from '../events/addresses/events.js';
import { createAddressQueries } from '../projections/addresses/queries.js';
import { ADDRESS_IDS, addresses as addressRows } from '../projections/addresses/read-model.js';
import { area } from './area.js';

export const addresses = area({
  name: 'addresses',
  examples: ADDRESS_EXAMPLES,
  streams: [{ prefix: ADDRESS_PREFIX, events: ADDRESS_EVENTS, tenant: 'business', erasure: 'own' }],
  readModels: [addressRows],
  sequences: [ADDRESS_IDS],
  errors: { ADDRESS_NOT_FOUND: 404 },
  operations: (_services, { handle, database, engines: { keyRing } }) =>
    addressOperations({ handle: handle(decider), queries: createAddressQueries(database, keyRing) }),
});
