/** Contractors: the planning permissions of each contractor. */
import { CONTRACTOR_EXAMPLES } from '../api/areas/contractors/examples.js';
import { planningOperations } from '../api/areas/contractors/planning.js';
import { CONTRACTOR_EVENTS, CONTRACTOR_PREFIX } from '../events/contractors/events.js';
import { createPlanningQueries } from '../projections/contractors/queries.js';
import { accounts } from './accounts.js';
import { area } from './area.js';

export const contractors = area({
  name: 'contractors',
  examples: CONTRACTOR_EXAMPLES,
  streams: [{ prefix: CONTRACTOR_PREFIX, events: CONTRACTOR_EVENTS, tenant: 'business' }],
  errors: { CONTRACTOR_NOT_FOUND: 404 },
  services: ({ database }) => ({ planning: createPlanningQueries(database) }),
  operations: ({ planning }, { commands, of }) =>
    planningOperations({ handle: commands.contractors, planning, accounts: of(accounts).queries }),
});
