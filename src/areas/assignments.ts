/** Assignments: which contractor delivers which orders. Their events are stored in the streams of the orders. */
import { ASSIGNMENT_EXAMPLES } from '../api/areas/assignments/examples.js';
import { brokerOrderAssignments } from '../api/areas/assignments/operations.js';
import { createAssignmentQueries } from '../projections/assignments/queries.js';
import { ASSIGNMENT_IDS, assignments as assignmentRows } from '../projections/assignments/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';

export const assignments = area({
  name: 'assignments',
  examples: ASSIGNMENT_EXAMPLES,
  readModels: [assignmentRows],
  sequences: [ASSIGNMENT_IDS],
  errors: {
    ALREADY_ASSIGNED: 409,
    ASSIGNED_TO_CONTRACTOR: 409,
    NOT_ASSIGNED: 409,
    MISSING_CONTRACTOR: 422,
    UNKNOWN_CONTRACTOR: 422,
  },
  services: ({ engines: { pool, keyRing } }) => ({ queries: createAssignmentQueries({ pool, keyRing }) }),
  operations: ({ queries }, { commands, of }) =>
    brokerOrderAssignments({ handle: commands.orders, assignments: queries, accounts: of(accounts).queries }),
});
