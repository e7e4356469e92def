/** Approvals: writes that a user must approve before they are executed. */
import { APPROVAL_EXAMPLES } from '../api/areas/approvals/examples.js';
import { approvals as createApprovals } from '../api/areas/approvals/operations.js';
import { startRepair } from '../commands/core/repair.js';
import { PROPOSAL_EVENTS, PROPOSAL_PREFIX } from '../events/approvals/events.js';
import { createApprovalQueries } from '../projections/approvals/queries.js';
import { approvals as proposalRows } from '../projections/approvals/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';

const BATCH_SIZE = 100;

export const approvals = area({
  name: 'approvals',
  examples: APPROVAL_EXAMPLES,
  streams: [{ prefix: PROPOSAL_PREFIX, events: PROPOSAL_EVENTS, tenant: 'business_id', erasure: 'mentions' }],
  readModels: [proposalRows],
  errors: {
    UNKNOWN_TOOL: 400,
    NOT_A_WRITE: 400,
    NOT_IN_PROPOSAL: 400,
    SECRET_PROPOSED: 400,
    NOT_FOR_ANOTHER: 403,
    OWN_PROPOSAL: 403,
    OTHER_REVIEWER_NEEDED: 403,
    SIGNED_IN_REVIEWER_NEEDED: 403,
    APPROVAL_ELSEWHERE: 403,
    PROPOSAL_DECIDED: 409,
    QUEUED_FOR_APPROVAL: 409,
    PROPOSAL_OUTDATED: 409,
  },
  services({
    database,
    engines: { keyRing, log },
    commands,
    progress,
    now,
    baseUrl,
    of,
    invoke,
    operations,
    tool,
    proposableTools,
  }) {
    const queries = createApprovalQueries({ database, keyRing, now });
    const queue = createApprovals({
      handle: commands.approvals,
      queries,
      accounts: of(accounts).queries,
      oauthGrants: of(accounts).oauthGrants,
      baseUrl,
      log,
      progress,
      now,
      registry: () => ({
        invoke,
        operation: (name) => operations().find((operation) => operation.name === name),
        proposable: tool,
        proposables: proposableTools,
      }),
    });
    return { queries, ...queue };
  },
  operations: ({ operations }) => operations,
  work({ queries, decisions }, { now, logger, engines: { limits } }) {
    const onError = (error: unknown, proposal?: string) =>
      logger.error({ proposal, err: error }, 'a proposal is not carried out yet');
    const finishing = startRepair({
      unfinished: (millis) => queries.unfinished(new Date(millis).toISOString(), BATCH_SIZE),
      finish: decisions.finish,
      now,
      limits,
      onError,
    });
    // An overdue proposal counts as expired immediately. Only the event that records the expiry comes later.
    const expiring = startRepair({
      unfinished: () => queries.overdue(BATCH_SIZE),
      finish: decisions.expire,
      now,
      limits,
      every: limits.expiryMs,
      onError,
    });
    return [() => finishing.stop(), () => expiring.stop()];
  },
});
