/**
 * The approval queue: agents and users propose writes, reviewers decide (specification 3, "States and transitions").
 */
import { z } from 'zod';
import type { Position } from '../../../events/core/log.js';
import { PROPOSAL_STATUSES } from '../../../events/approvals/events.js';
import type { Progress } from '../../../projections/core/progress.js';
import type { Proposal } from '../../../projections/approvals/queries.js';
import { readOrderSummary } from './order-summary.js';
import { createProposalDecisions, type ProposalDecisions, type DecisionOptions } from './decisions.js';
import { createPropose, dryRun, type ProposedWrite } from './propose.js';
import { argumentsOf, unknownTool, type Proposable } from './proposable.js';
import { proposalSchema, toProposalResponse, type ProposalResponse } from './proposal-response.js';
import { businessOf, userOf, isStaff, STAFF_ROLES, type Caller } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';
import type { Invoke } from '../../core/invoke.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { toApiError } from '../../core/problem.js';

export interface ApprovalsOptions extends Omit<DecisionOptions, 'operation' | 'invoke' | 'awaitReadModel'> {
  readonly progress: Progress;
  /** Access to all operations. Called at each request, because the list also contains the operations of this file. */
  readonly registry: () => {
    readonly invoke: Invoke;
    readonly operation: (name: string) => Operation | undefined;
    readonly proposable: (tool: string) => Proposable | undefined;
    /** Names of the tools whose calls can be proposed. */
    readonly proposables: () => readonly string[];
  };
}

export interface Approvals {
  readonly operations: readonly Operation[];
  /**
   * Runs instead of a high-risk write for a connection that requires approvals; not published.
   */
  readonly queue: Operation;
  readonly decisions: ProposalDecisions;
}

const WAIT_MS = 2_000;
const REVIEWERS = ['client_admin'] as const;
/**
 * Roles that can have proposals. Contractors and customers read their own. Drivers have no high-risk operations.
 */
const READERS = [...STAFF_ROLES, 'broker', 'customer'] as const;
const proposalIdInput = z.uuid().describe('Id of the proposal.');
const comment = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .optional()
  .describe('Comment for the proposer and for the audit trail.');
const proposalOutput = z.object({ result: z.boolean(), proposal: proposalSchema });
const READ = { area: 'Approvals', callers: READERS, scopes: ['approvals:read'], reads: ['approvals'] } as const;
const DECIDE = {
  area: 'Approvals',
  callers: REVIEWERS,
  scopes: ['approvals:write'],
  writes: true,
  awaits: ['approvals'],
  input: z.object({ proposal_id: proposalIdInput, comment }),
  output: proposalOutput,
} as const;

export function approvals({ registry, progress, ...options }: ApprovalsOptions): Approvals {
  const invoke = () => registry().invoke;
  const propose = createPropose({ ...options, invoke });
  const awaitReadModel = async (position: Position | undefined) =>
    position !== undefined && (await progress.waitFor('approvals', position, WAIT_MS));
  const decisions = createProposalDecisions({
    ...options,
    invoke,
    awaitReadModel,
    operation: (name) => registry().operation(name),
  });
  const { queries } = options;
  const toResponse = (proposal: Proposal, reader?: Caller) =>
    toProposalResponse(
      proposal,
      registry().proposable(proposal.proposed.tool)?.title ?? proposal.proposed.tool,
      reader === undefined || isStaff(reader),
    );

  /** The response contains the outcome of the decision, so this waits for the read model before it reads. */
  async function afterDecision(
    decision: Promise<Position | undefined>,
    proposalId: string,
  ): Promise<{ result: boolean; proposal: ProposalResponse }> {
    await awaitReadModel(await decision);
    return { result: true, proposal: toResponse((await queries.byId(proposalId))!) };
  }

  const queueOperation = operation({
    name: 'queueWrite',
    area: 'Approvals',
    summary: 'Queue a write of a connection that requires approvals',
    rest: { method: 'post', path: '/v1/proposals/queue' },
    callers: ['client_admin', 'employee', 'broker', 'driver', 'customer', 'auditor'],
    writes: true,
    awaits: ['approvals'],
    input: z.object({ wanted: z.custom<ProposedWrite>() }),
    output: z.looseObject({}),
    async run({ wanted }, context) {
      const proposalId = await propose(wanted, context);
      return {
        queued: true,
        proposal_id: proposalId,
        status: 'pending',
        message: 'Not executed: a human must approve the proposal first.',
      };
    },
  });

  return {
    queue: queueOperation,
    decisions,
    operations: [
      operation({
        name: 'proposalCreate',
        returns: { read: 'proposal' },
        area: 'Approvals',
        summary: 'Propose a write for human approval',
        description:
          'Stores a tool call for a reviewer to approve. The service checks the call immediately with a dry run and records the versions of the affected data. The reviewer needs the permissions for the call; the proposer does not. Repeating the same call returns the pending proposal. Proposals expire after 72 hours.',
        rest: { method: 'post', path: '/v1/proposals', status: 201 },
        callers: STAFF_ROLES,
        scopes: ['approvals:read'],
        writes: true,
        awaits: ['approvals'],
        input: z.object({
          tool: z.string().min(1).max(64).describe('Name of the tool, as in `tools/list`.'),
          arguments: z.record(z.string().max(128), z.unknown()).default({}).describe('Arguments of that tool.'),
          reason: z.string().trim().min(1).max(1_000).optional().describe('Reason, for the reviewer.'),
        }),
        output: z.object({ result: z.boolean() }),
        answers: { 400: 'The tool does not exist or writes nothing, or its arguments are invalid.' },
        async run({ tool, arguments: args, reason }, context) {
          const found = registry().proposable(tool);
          if (!found) throw unknownTool(tool, registry().proposables());
          // Decisions cannot be proposed. A GraphQL document cannot either: each of its operations has its own tool.
          if (found.operation.area === 'Approvals' || found.run !== undefined)
            throw fieldError('NOT_A_WRITE', 'tool', { tool });
          const proposal_id = await propose(
            { tool, operation: found.operation, input: argumentsOf(found, args), reason, source: 'propose_write' },
            context,
          );
          return { result: true, proposal_id };
        },
      }),
      operation({
        ...READ,
        name: 'proposals',
        summary: 'List proposals',
        description:
          'Returns pending proposals unless `status` is given. Contractors and customers see only their own proposals.',
        rest: { method: 'get', path: '/v1/proposals' },
        input: z.object({
          mine_only: z.boolean().default(false).describe('Return only proposals of the caller.'),
          status: z.enum([...PROPOSAL_STATUSES, 'all']).default('pending'),
          tool: z.string().max(64).optional().describe('Return only calls of this tool.'),
          risk: z.enum(['low', 'medium', 'high']).optional().describe('Return only calls with this risk.'),
          proposal_id: proposalIdInput
            .optional()
            .describe('Return only this proposal. Combine with status `all` to see its outcome.'),
          ...pageInput,
        }),
        output: z.object({ ...pageOutput, proposals: z.array(proposalSchema) }),
        async run({ mine_only, status, tool, risk, proposal_id, ...page }, { caller }) {
          const { proposals, ...found } = await queries.list({
            business: businessOf(caller),
            ...(status !== 'all' && { status }),
            ...((mine_only || !isStaff(caller)) && { proposedBy: userOf(caller).userId }),
            tool,
            risk,
            id: proposal_id,
            ...rangeOf(page),
          });
          return { ...pageOf(page, found), proposals: proposals.map((proposal) => toResponse(proposal, caller)) };
        },
      }),
      operation({
        ...READ,
        name: 'proposal',
        summary: 'Get a proposal and a preview of its changes',
        description:
          'Contractors and customers see only their own proposals. `about` is the order in the arguments. `preview` is a dry run with the permissions of the caller. It is omitted for callers that cannot approve proposals, and after the decision.',
        rest: { method: 'get', path: '/v1/proposals/:proposal_id' },
        input: z.object({ proposal_id: proposalIdInput }),
        output: proposalOutput,
        async run({ proposal_id }, context) {
          const caller = userOf(context.caller);
          const proposal = await decisions.find(proposal_id, caller);
          const target = registry().operation(proposal.proposed.operation);
          const args = proposal.proposed.arguments;
          const mayDecide =
            caller.scopes.has('approvals:write') && (REVIEWERS as readonly string[]).includes(caller.role);
          const about = args && (await readOrderSummary(args, registry().operation('order'), invoke(), context));
          const proposalResponse = { ...toResponse(proposal, caller), ...(about && { about }) };
          if (proposal.status !== 'pending' || !target || !args || !mayDecide)
            return { result: true, proposal: proposalResponse };
          const preview = await dryRun(invoke(), target, args, caller, context).then(
            (newEvents) => ({
              would_append: newEvents.map(({ stream, fact }) => ({
                stream,
                type: fact.type.type,
                data: fact.data as Record<string, unknown>,
              })),
              error: null,
            }),
            (thrown: unknown) => ({ would_append: [], error: toApiError(thrown).code }),
          );
          return { result: true, proposal: { ...proposalResponse, preview } };
        },
      }),
      operation({
        ...DECIDE,
        name: 'proposalApprove',
        summary: 'Approve a proposal and execute it',
        description:
          'The reviewer needs the permissions for the proposed write. The service executes it exactly once, in the name of the reviewer. If the affected data has changed since the proposal, the proposal is refused permanently (`PROPOSAL_OUTDATED`).',
        rest: { method: 'post', path: '/v1/proposals/:proposal_id/approve' },
        risk: 'high',
        confirm: true,
        answers: {
          409: 'The proposal is already decided (`PROPOSAL_DECIDED`), or the affected data has changed (`PROPOSAL_OUTDATED`).',
        },
        async run({ proposal_id, comment }, context) {
          return afterDecision(decisions.approve(proposal_id, comment, context), proposal_id);
        },
      }),
      operation({
        ...DECIDE,
        name: 'proposalReject',
        summary: 'Reject a proposal',
        description: 'Closes the proposal without executing the write. The proposer can read `comment`.',
        rest: { method: 'post', path: '/v1/proposals/:proposal_id/reject' },
        risk: 'medium',
        answers: { 409: 'The proposal is already decided (`PROPOSAL_DECIDED`).' },
        async run({ proposal_id, comment }, context) {
          return afterDecision(decisions.reject(proposal_id, comment, context), proposal_id);
        },
      }),
    ],
  };
}
