/**
 * The approval queue: agents and users propose writes, reviewers decide (specification 3, "States and transitions").
 */
import { z } from 'zod';
import type { Position } from '../../../events/core/log.js';
import type { Progress } from '../../../projections/core/progress.js';
import { approvalUrl, approversOf, REVIEWERS } from './approvers.js';
import { createProposalDecisions, type ProposalDecisions, type DecisionOptions } from './decisions.js';
import { createPresent, type PresentOptions } from './present.js';
import { createPropose, type ProposedWrite } from './propose.js';
import { argumentsOf, type Proposable } from './proposable.js';
import type { ProposalResponse } from './proposal-response.js';
import { proposalIdInput, proposalOutput, proposalReading } from './reading.js';
import { businessOf, STAFF_ROLES, type Caller } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';
import type { Invoke } from '../../core/invoke.js';
import { operation, type Operation } from '../../core/operation.js';
import { unknownTool } from '../../core/unknown-tool.js';

export interface ApprovalsOptions
  extends Omit<DecisionOptions, 'operation' | 'invoke' | 'awaitReadModel'>, Omit<PresentOptions, 'titleOf'> {
  readonly progress: Progress;
  /** Access to all operations. Called at each request, because the list also contains the operations of this file. */
  readonly registry: () => {
    readonly invoke: Invoke;
    readonly operation: (name: string) => Operation | undefined;
    readonly proposable: (tool: string) => Proposable | undefined;
    /** Names of the tools whose calls the caller can propose. */
    readonly proposables: (caller: Caller) => readonly string[];
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
const comment = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .optional()
  .describe('Comment for the proposer and for the audit trail.');
const DECIDE = {
  area: 'Approvals',
  callers: REVIEWERS,
  scopes: ['approvals:write'],
  writes: true,
  awaits: ['approvals'],
  input: z.object({ proposal_id: proposalIdInput, comment }),
  output: proposalOutput,
} as const;

export function approvals({ registry, progress, oauthGrants, ...options }: ApprovalsOptions): Approvals {
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
  const { queries, accounts, baseUrl } = options;
  const present = createPresent({
    accounts,
    oauthGrants,
    baseUrl,
    titleOf: (tool) => registry().proposable(tool)?.title ?? tool,
  });

  /** The response contains the outcome of the decision, so this waits for the read model before it reads. */
  async function afterDecision(
    decision: Promise<Position | undefined>,
    proposalId: string,
    caller: Caller,
  ): Promise<{ result: boolean; proposal: ProposalResponse }> {
    await awaitReadModel(await decision);
    const [proposal] = await present([(await queries.byId(proposalId))!], caller);
    return { result: true, proposal: proposal! };
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
      const { id, expiresAt } = await propose(wanted, context);
      const business = await accounts.business(businessOf(context.caller));
      return {
        queued: true,
        proposal_id: id,
        status: 'pending',
        url: approvalUrl(baseUrl(), id),
        approvers: approversOf(wanted.operation.scopes ?? [], business?.review ?? 'anybody'),
        expires_at: expiresAt,
        message:
          'The service has not executed the write. A human must approve the proposal first. Give the user the `url`.',
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
          if (!found) throw unknownTool(tool, registry().proposables(context.caller), 'TOOL_NOT_AMONG');
          // Decisions cannot be proposed. A GraphQL document cannot either: each of its operations has its own tool.
          if (found.operation.area === 'Approvals' || found.run !== undefined)
            throw fieldError('NOT_A_WRITE', 'tool', { tool });
          const { id: proposal_id } = await propose(
            { tool, operation: found.operation, input: argumentsOf(found, args), reason, source: 'propose_write' },
            context,
          );
          return { result: true, proposal_id };
        },
      }),
      ...proposalReading({ queries, decisions, present, invoke, operation: (name) => registry().operation(name) }),
      operation({
        ...DECIDE,
        name: 'proposalApprove',
        summary: 'Approve a proposal and execute it',
        description:
          'The reviewer needs the permissions for the proposed write. The service executes it exactly once, in the name of the reviewer. If the affected data has changed since the proposal, the service refuses the proposal permanently (`PROPOSAL_OUTDATED`).',
        rest: { method: 'post', path: '/v1/proposals/:proposal_id/approve' },
        risk: 'high',
        confirm: true,
        answers: {
          409: 'The proposal is already decided (`PROPOSAL_DECIDED`), or the affected data has changed (`PROPOSAL_OUTDATED`).',
        },
        async run({ proposal_id, comment }, context) {
          return afterDecision(decisions.approve(proposal_id, comment, context), proposal_id, context.caller);
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
          return afterDecision(decisions.reject(proposal_id, comment, context), proposal_id, context.caller);
        },
      }),
    ],
  };
}
