/** Reading proposals: the list, and one proposal with a preview of its effects. */
import { z } from 'zod';
import { PROPOSAL_STATUSES } from '../../../events/approvals/events.js';
import type { ApprovalQueries, Proposal } from '../../../projections/approvals/queries.js';
import { businessOf, isStaff, STAFF_ROLES, userOf } from '../../core/callers.js';
import type { Invoke } from '../../core/invoke.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { toApiError } from '../../core/problem.js';
import { REVIEWERS } from './approvers.js';
import { createReadChanges } from './changes.js';
import type { ProposalDecisions } from './decisions.js';
import { readOrderSummary } from './order-summary.js';
import type { Present } from './present.js';
import { previewOf } from './preview.js';
import { proposalSchema, type ProposalResponse } from './proposal-response.js';
import { dryRun } from './propose.js';

export interface ReadingOptions {
  readonly queries: ApprovalQueries;
  readonly decisions: Pick<ProposalDecisions, 'find'>;
  readonly present: Present;
  readonly invoke: () => Invoke;
  readonly operation: (name: string) => Operation | undefined;
}

export const proposalIdInput = z.uuid().describe('Id of the proposal.');
export const proposalOutput = z.object({ result: z.boolean(), proposal: proposalSchema });

/**
 * Roles that can have proposals. Contractors and customers read their own proposals. Drivers have no high-risk
 * operations.
 */
const READERS = [...STAFF_ROLES, 'broker', 'customer'] as const;
const READ = { area: 'Approvals', callers: READERS, scopes: ['approvals:read'], reads: ['approvals'] } as const;
/**
 * Maximum number of changes shown for one proposal, and for each proposal in a list. Showing a change needs a read of
 * an order, so each change counts against the rate limit.
 */
const MAX_CHANGES = 10;
const MAX_LISTED_CHANGES = 1;

export function proposalReading({ queries, decisions, present, invoke, operation: find }: ReadingOptions): Operation[] {
  const readChanges = createReadChanges({ operation: find });

  async function withChanges(
    response: ProposalResponse,
    { proposed }: Proposal,
    limit: number,
    context: Context,
  ): Promise<ProposalResponse> {
    if (!proposed.arguments) return response;
    const { count, changes } = await readChanges(proposed.operation, proposed.arguments, limit, context);
    return { ...response, change_count: count, changes: [...changes] };
  }

  return [
    operation({
      ...READ,
      name: 'proposals',
      summary: 'List proposals',
      description: 'By default, returns pending proposals. Contractors and customers see only their own proposals.',
      rest: { method: 'get', path: '/v1/proposals' },
      input: z.object({
        mine_only: z.boolean().default(false).describe('Return only proposals that the caller made.'),
        status: z.enum([...PROPOSAL_STATUSES, 'all']).default('pending'),
        tool: z.string().max(64).optional().describe('Return only proposals for this tool.'),
        risk: z.enum(['low', 'medium', 'high']).optional().describe('Return only proposals with this risk.'),
        proposal_id: proposalIdInput
          .optional()
          .describe(
            'Return only this proposal. To get a proposal that is already decided, also set `status` to `all`.',
          ),
        sort: z
          .enum(['-created_at', 'expires_at'])
          .default('-created_at')
          .describe(
            '`-created_at`: the newest proposal comes first. `expires_at`: the proposal that expires next comes first.',
          ),
        include_changes: z
          .boolean()
          .default(false)
          .describe('Whether each proposal contains `change_count` and the first entry of `changes`.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, proposals: z.array(proposalSchema) }),
      units: ({ include_changes, per_page }) => (include_changes ? per_page * MAX_LISTED_CHANGES : 1),
      async run({ mine_only, status, tool, risk, proposal_id, sort, include_changes, ...page }, context) {
        const { caller } = context;
        const { proposals, ...found } = await queries.list({
          business: businessOf(caller),
          ...(status !== 'all' && { status }),
          ...((mine_only || !isStaff(caller)) && { proposedBy: userOf(caller).userId }),
          tool,
          risk,
          id: proposal_id,
          sort,
          ...rangeOf(page),
        });
        const responses = await present(proposals, caller);
        if (!include_changes) return { ...pageOf(page, found), proposals: responses };
        const shown: ProposalResponse[] = [];
        // One after the other: a page of 200 proposals must not occupy all connections of the database.
        for (const [at, response] of responses.entries())
          shown.push(await withChanges(response, proposals[at]!, MAX_LISTED_CHANGES, context));
        return { ...pageOf(page, found), proposals: shown };
      },
    }),
    operation({
      ...READ,
      name: 'proposal',
      summary: 'Get a proposal and a preview of its changes',
      description:
        'Contractors and customers see only their own proposals. `changes` has the old and new values of the first ten resources in the arguments. `preview` is a dry run with the permissions of the caller. The response contains no `preview` if the caller cannot approve proposals or if the proposal is already decided.',
      rest: { method: 'get', path: '/v1/proposals/:proposal_id' },
      input: z.object({ proposal_id: proposalIdInput }),
      output: proposalOutput,
      units: () => MAX_CHANGES,
      async run({ proposal_id }, context) {
        const caller = userOf(context.caller);
        const proposal = await decisions.find(proposal_id, caller);
        const target = find(proposal.proposed.operation);
        const args = proposal.proposed.arguments;
        const mayDecide =
          caller.scopes.has('approvals:write') && (REVIEWERS as readonly string[]).includes(caller.role);
        const about = args && (await readOrderSummary(args, find('order'), invoke(), context));
        const [response] = await present([proposal], caller);
        const shown = { ...(await withChanges(response!, proposal, MAX_CHANGES, context)), ...(about && { about }) };
        if (proposal.status !== 'pending' || !target || !args || !mayDecide) return { result: true, proposal: shown };
        const preview = await dryRun(invoke(), target, args, caller, context).then(
          (newEvents) => ({ would_append: previewOf(newEvents), error: null }),
          (thrown: unknown) => ({ would_append: [], error: toApiError(thrown).code }),
        );
        return { result: true, proposal: { ...shown, preview } };
      },
    }),
  ];
}
