/** Fleets: drivers and vehicles of an owner, with captains. */
import { FLEET_EXAMPLES } from '../api/areas/fleets/examples.js';
import { fleetOperations } from '../api/areas/fleets/operations.js';
import { fleets as decider } from '../commands/fleets/decider.js';
import { FLEET_EVENTS, FLEET_PREFIX } from '../events/fleets/events.js';
import { createFleetQueries } from '../projections/fleets/queries.js';
import { FLEET_IDS, fleets as fleetRows } from '../projections/fleets/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { planning } from './planning.js';

export const fleets = area({
  name: 'fleets',
  examples: FLEET_EXAMPLES,
  streams: [{ prefix: FLEET_PREFIX, events: FLEET_EVENTS, tenant: 'business', erasure: 'own' }],
  readModels: [fleetRows],
  sequences: [FLEET_IDS],
  errors: { FLEET_NOT_FOUND: 404, UNKNOWN_MEMBER: 400, VEHICLE_ID_TAKEN: 409 },
  services: ({ database, engines: { keyRing } }) => ({ queries: createFleetQueries(database, keyRing) }),
  operations: ({ queries }, { handle, of }) =>
    fleetOperations({
      handle: handle(decider),
      queries,
      accounts: of(accounts).queries,
      settings: of(planning).settings,
    }),
});
