/** Decisions on proposals. An approved write is checked again, claimed once and executed exactly once. */
import type { ApprovalCommand } from '../../../commands/approvals/decider.js';
import { approvedEventId } from '../../../commands/approvals/decider.js';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import { proposalStream, type ProposalStatus } from '../../../events/approvals/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { Position } from '../../../events/core/log.js';
import type { ApprovalQueries, Proposal } from '../../../projections/approvals/queries.js';
import { businessOf, userOf, isStaff, type UserCaller } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { authorize, type Invoke } from '../../core/invoke.js';
import { type Context, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { toApiError } from '../../core/problem.js';
import { scopesFor, type Scope } from '../../core/scopes.js';
import { argumentsOf, createExecute, isWriteError } from './execute.js';
import { addedTargets, changedSince, dryRun } from './propose.js';
import { checkReviewer } from './reviewers.js';

/**
 * An execution that takes longer than this is recorded as failed, because ids and responses of commands are not stored
 * longer.
 */
const MAX_RETRY_MS = 12 * 3_600_000;

export interface DecisionOptions extends Parts<'accounts' | 'log' | 'now'> {
  readonly handle: Handle<ApprovalCommand, ProposalStatus>;
  readonly queries: ApprovalQueries;
  readonly invoke: () => Invoke;
  readonly operation: (name: string) => Operation | undefined;
  /** Waits until the read model contains the decision, or until a timeout. */
  readonly awaitReadModel: (position: Position | undefined) => Promise<unknown>;
}

export interface ProposalDecisions {
  /**
   * Throws NOT_FOUND, PROPOSAL_DECIDED, PROPOSAL_OUTDATED, the error for a reviewer without permission, and the error
   * of the proposed write.
   */
  readonly approve: (id: string, comment: string | undefined, context: Context) => Promise<Position | undefined>;
  readonly reject: (id: string, comment: string | undefined, context: Context) => Promise<Position | undefined>;
  /** Executes an approved proposal that has no recorded result. A finished proposal stays unchanged. */
  readonly finish: (id: string) => Promise<void>;
  /** Records that a proposal has expired. */
  readonly expire: (id: string) => Promise<void>;
  /** A proposal of the caller's business; contractors and customers find only their own proposals. Throws NOT_FOUND. */
  readonly find: (id: string, caller: UserCaller) => Promise<Proposal>;
}

/** `changed`: types of events, or streams. */
const outdated = (changed: readonly string[]): ApiError =>
  new ApiError('PROPOSAL_OUTDATED', { params: { changed: changed.join(', ') } });

export function createProposalDecisions(options: DecisionOptions): ProposalDecisions {
  const { handle, queries, accounts, log, invoke, operation, awaitReadModel, now } = options;
  const execute = createExecute({ handle, invoke, awaitReadModel });

  async function find(id: string, caller: UserCaller): Promise<Proposal> {
    const proposal = await queries.byId(id);
    if (proposal?.business !== businessOf(caller)) throw fieldError('NOT_FOUND', 'proposal_id');
    if (!isStaff(caller) && proposal.proposed.proposed_by !== caller.userId)
      throw fieldError('NOT_FOUND', 'proposal_id');
    return proposal;
  }

  /** The proposed operation; throws unless the reviewer's current role and scopes allow it. */
  function operationFor({ proposed }: Proposal, reviewer: UserCaller): Operation {
    const found = operation(proposed.operation);
    if (!found) throw new ApiError('UNKNOWN_TOOL', { params: { tool: proposed.tool } });
    authorize(
      { ...found, scopes: [...new Set([...(found.scopes ?? []), ...(proposed.required_scopes as Scope[])])] },
      reviewer,
    );
    return found;
  }

  async function approve(id: string, comment: string | undefined, context: Context): Promise<Position | undefined> {
    const { caller, cause, commandId, time, wrote } = context;
    const reviewer = userOf(caller);
    const proposal = await find(id, reviewer);
    const target = operationFor(proposal, reviewer);
    if (proposal.status === 'pending')
      checkReviewer(proposal, reviewer, (await accounts.business(proposal.business))?.review ?? 'anybody');
    const commandFields = { proposalId: id, commandId, at: time };
    // A retry of the same approval continues where it stopped; for any other request the decider reports the state.
    if (proposal.status === 'pending')
      await checkBeforeApproval(proposal, target, reviewer, context, (refused) =>
        handle(
          proposalStream(id),
          {
            do: 'refuse',
            ...commandFields,
            data: { code: refused.code, reason: String(refused.params['changed'] ?? refused.code) },
          },
          cause,
        ),
      );
    const approved_at = new Date(time).toISOString();
    const claimed = await handle(
      proposalStream(id),
      {
        do: 'approve',
        ...commandFields,
        data: {
          approved_by: reviewer.userId,
          scopes: [...reviewer.scopes],
          approved_at,
          token: reviewer.tokenId,
          channel: cause.channel,
          ...(comment !== undefined && { comment }),
        },
      },
      cause,
    );
    wrote(claimed.position);
    if (cause.dryRun) {
      cause.dryRun.push(...(await dryRun(invoke(), target, argumentsOf(proposal), reviewer, context)));
      return undefined;
    }
    const position = await execute(proposal, target, reviewer, {
      approvedAt: time,
      causationId: approvedEventId(commandId),
      cause,
    });
    wrote(position);
    return position;
  }

  /**
   * Refuses a proposal with outdated targets and records the refusal permanently. A proposal is approved exactly as it
   * was made, or not at all.
   */
  async function checkBeforeApproval(
    proposal: Proposal,
    target: Operation,
    reviewer: UserCaller,
    context: Context,
    refuse: (refusal: ApiError) => Promise<{ readonly position: Position | undefined }>,
  ): Promise<void> {
    const refusal = await refusalOf(proposal, target, reviewer, context);
    if (!refusal) return;
    if (isWriteError(refusal)) await awaitReadModel((await refuse(refusal)).position);
    throw refusal;
  }

  async function refusalOf(
    proposal: Proposal,
    target: Operation,
    reviewer: UserCaller,
    context: Context,
  ): Promise<ApiError | undefined> {
    const changed = await changedSince(log, proposal);
    if (changed.length > 0) return outdated(changed);
    const newEvents = await dryRun(invoke(), target, argumentsOf(proposal), reviewer, context).catch(toApiError);
    if (newEvents instanceof ApiError) return newEvents;
    const added = await addedTargets(log, proposal, newEvents);
    return added.length > 0 ? outdated(added) : undefined;
  }

  return {
    approve,
    find,

    async reject(id, comment, { caller, cause, commandId, time, wrote }) {
      const reviewer = userOf(caller);
      await find(id, reviewer);
      const { position } = await handle(
        proposalStream(id),
        {
          do: 'reject',
          proposalId: id,
          commandId,
          at: time,
          data: {
            rejected_by: reviewer.userId,
            token: reviewer.tokenId,
            channel: cause.channel,
            ...(comment !== undefined && { comment }),
          },
        },
        cause,
      );
      wrote(position);
      return cause.dryRun ? undefined : position;
    },

    async finish(id) {
      const proposal = await queries.byId(id);
      const { data, id: approvedEvent } = proposal?.decided ?? {};
      if (proposal?.status !== 'approved' || data?.approved_by === undefined || approvedEvent === undefined) return;
      const approvedAt = Date.parse(data.approved_at!);
      const cause: Cause = {
        correlationId: derivedId('proposal', id, 'finish'),
        causationId: approvedEvent,
        actor: { kind: 'user', id: String(data.approved_by), ...(data.token !== undefined && { token: data.token }) },
        channel: 'system',
        business: String(proposal.business),
      };
      const fail = (code: string) =>
        handle(proposalStream(id), { do: 'fail', proposalId: id, commandId: id, data: { code, reason: code } }, cause);
      const target = operation(proposal.proposed.operation);
      const reviewer = await reviewerOf(data.approved_by, data.scopes ?? [], data.token ?? '');
      if (!target || !reviewer || !proposal.proposed.arguments) return void (await fail('FORBIDDEN'));
      if (now() - approvedAt > MAX_RETRY_MS) return void (await fail('UNAVAILABLE'));
      // The proposal records how it failed.
      await execute(proposal, target, reviewer, { approvedAt, causationId: approvedEvent, cause }).catch(
        (error: unknown) => {
          if (toApiError(error).status >= 500) throw error;
        },
      );
    },

    async expire(id) {
      await handle(
        proposalStream(id),
        { do: 'expire', proposalId: id, commandId: derivedId('proposal', id, 'expire'), at: now() },
        {
          correlationId: derivedId('proposal', id, 'expire'),
          actor: { kind: 'system', id: 'approvals' },
          channel: 'system',
        },
      );
    },
  };

  /**
   * The approving user, limited to the scopes that the token had at the approval and that the role has now; undefined
   * if the account is no longer active.
   */
  async function reviewerOf(
    userId: number,
    scopes: readonly string[],
    tokenId: string,
  ): Promise<UserCaller | undefined> {
    const account = await accounts.byId(userId);
    if (account?.status !== 'active' || account.business === null) return undefined;
    const business = await accounts.business(account.business);
    return {
      role: account.role,
      userId,
      businessId: account.business,
      timezone: business?.timezone ?? 'UTC',
      tokenId,
      tokenKind: 'login',
      scopes: scopesFor(account.role, scopes as readonly Scope[]),
      modules: new Set(business?.modules ?? []),
    };
  }
}
