/** Return reasons: why parcels come back. Orders and scans refer to them. */
import { RETURN_REASON_EXAMPLES } from '../api/areas/return-reasons/examples.js';
import { returnReasonOperations } from '../api/areas/return-reasons/operations.js';
import { returnReasons as decider } from '../commands/return-reasons/decider.js';
import { RETURN_REASON_EVENTS, RETURN_REASONS_PREFIX } from '../events/return-reasons/events.js';
import { createReturnReasonQueries, returnReasons as rows } from '../projections/return-reasons/read-model.js';
import { createReturns } from '../api/areas/return-reasons/returns.js';
import { area } from './area.js';
import { files } from './files.js';

export const returnReasons = area({
  name: 'return-reasons',
  examples: RETURN_REASON_EXAMPLES,
  streams: [{ prefix: RETURN_REASONS_PREFIX, events: RETURN_REASON_EVENTS, tenant: 'business' }],
  readModels: [rows],
  errors: { RETURN_REASON_NOT_FOUND: 404, UNKNOWN_RETURN_REASON: 422, TOO_MANY_RETURN_REASONS: 422 },
  services({ database, of }) {
    const queries = createReturnReasonQueries(database);
    return { queries, returns: createReturns({ reasons: queries, files: of(files) }) };
  },
  operations: ({ queries }, { handle }) => returnReasonOperations({ handle: handle(decider), queries }),
});
