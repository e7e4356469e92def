/**
 * Proposes a write: checks it with a dry run and stores it with the revisions of the affected streams. It is not
 * executed yet.
 */
import { createHash } from 'node:crypto';
import type { ApprovalCommand } from '../../../commands/approvals/decider.js';
import type { Handle, DryRun } from '../../../commands/core/handle.js';
import { DeliveryInstructionChanged, OrderNoteChanged } from '../../../events/orders/events.js';
import { proposalStream, type ProposalStatus } from '../../../events/approvals/events.js';
import { canonical } from '../../../events/tree/canonical.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { EventLog } from '../../../events/core/log.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { ApprovalQueries, Proposal } from '../../../projections/approvals/queries.js';
import { userOf, type UserCaller } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { checkInput } from '../../core/check-input.js';
import { innerCall } from '../../core/inner-call.js';
import type { Invoke } from '../../core/invoke.js';
import type { Context, Operation } from '../../core/operation.js';
import { PROFILE_NAMES } from '../../core/scopes.js';
import { asReviewer, isPersonalOperation } from '../../core/reviewed-operations.js';

/** A proposal expires after this time, because the reason for it may no longer apply. */
const PENDING_HOURS = 72;
/** Maximum number of streams whose revisions are checked at the approval. Beyond it, the operation itself decides. */
const MAX_TARGETS = 200;
/** Names of members that contain secrets, which must not be stored. */
const SECRET = /secret|password|token/i;
const HOUR_MS = 3_600_000;

export interface ProposedWrite {
  /** Name of the tool, shown to the readers of the proposal. */
  readonly tool: string;
  readonly operation: Operation;
  /** Input of the operation, not yet checked. */
  readonly input: Record<string, unknown>;
  readonly reason?: string | undefined;
  readonly source: 'propose_write' | 'header';
}

export interface ProposingOptions {
  readonly handle: Handle<ApprovalCommand, ProposalStatus>;
  readonly queries: ApprovalQueries;
  readonly log: EventLog;
  readonly accounts: Pick<AccountQueries, 'byId'>;
  readonly invoke: () => Invoke;
}

/** RFC 3339, UTC. */
export type Propose = (
  write: ProposedWrite,
  context: Context,
) => Promise<{ readonly id: string; readonly expiresAt: string }>;

/**
 * Returns the proposal. If the same user already has a pending proposal for the same call, returns that one.
 * Throws NOT_A_WRITE, NOT_FOR_ANOTHER, SECRET_PROPOSED, and the errors of the operation.
 */
export function createPropose({ handle, queries, log, accounts, invoke }: ProposingOptions): Propose {
  return async ({ tool, operation, input, reason, source }, context) => {
    const { caller, cause, commandId, time, header, wrote } = context;
    if (!operation.writes) throw fieldError('NOT_A_WRITE', 'tool', { tool });
    // The write runs as the approver: a new API key would belong to the approver but be visible to the proposer.
    if (isPersonalOperation(operation)) throw new ApiError('NOT_FOR_ANOTHER');
    const user = userOf(caller);
    if (user.businessId === undefined) throw new ApiError('FORBIDDEN');
    checkInput(operation, input);
    const secret = Object.keys(input).find((name) => SECRET.test(name) && typeof input[name] === 'string');
    if (secret !== undefined) throw fieldError('SECRET_PROPOSED', secret);
    const hash = createHash('sha256')
      .update(canonical({ operation: operation.name, arguments: input }))
      .digest('hex');
    const pendingProposal = await queries.same(user.userId, hash);
    if (pendingProposal) return { id: pendingProposal.id, expiresAt: pendingProposal.proposed.expires_at };
    // The proposer learns only whether the write is possible.
    const newEvents = await dryRun(invoke(), operation, input, asReviewer(user, operation), context);
    const id = derivedId('proposal', commandId);
    const expiresAt = new Date(time + PENDING_HOURS * HOUR_MS).toISOString();
    const client = header('user-agent')?.slice(0, 200);
    // A caller over REST can send any text.
    const named = PROFILE_NAMES.find((one) => one === header('x-mcp-profile')?.trim());
    const profile = named ?? (await profileOf(user));
    const { position } = await handle(
      proposalStream(id),
      {
        do: 'propose',
        proposalId: id,
        commandId,
        data: {
          proposal_id: id,
          business_id: user.businessId,
          tool,
          operation: operation.name,
          risk: operation.risk ?? 'low',
          required_scopes: [...(operation.scopes ?? [])],
          arguments_hash: hash,
          source,
          proposed_by: user.userId,
          token: user.tokenId,
          channel: cause.channel,
          targets: await targetsOf(log, newEvents),
          expires_at: expiresAt,
          arguments: input,
          ...(reason !== undefined && { reason }),
          ...(client !== undefined && { client }),
          ...(profile !== undefined && { profile }),
        },
      },
      cause,
    );
    wrote(position);
    return { id, expiresAt };
  };

  /** The profile of the API key; undefined for a key with individual scopes, and for other tokens. */
  async function profileOf({ tokenKind, tokenId, userId }: UserCaller): Promise<string | undefined> {
    return tokenKind === 'api_key'
      ? (await accounts.byId(userId))?.api_keys.find(({ id }) => id === tokenId)?.profile
      : undefined;
  }
}

/** Dry run: returns the events that the write would append now; throws the errors that the write would throw. */
export async function dryRun(
  invoke: Invoke,
  operation: Operation,
  input: Record<string, unknown>,
  caller: UserCaller,
  { cause, header }: Pick<Context, 'cause' | 'header'>,
): Promise<DryRun> {
  const newEvents: DryRun = [];
  await invoke(operation, () => input, { ...innerCall(caller, cause, header), dryRun: newEvents });
  return newEvents;
}

/** The affected streams with their current revisions; -1 for a stream that does not exist yet. */
function targetsOf(log: EventLog, newEvents: DryRun): Promise<{ stream: string; revision: number }[]> {
  const streams = [...new Set(newEvents.map(({ stream }) => stream))].slice(0, MAX_TARGETS);
  return Promise.all(streams.map(async (stream) => ({ stream, revision: await revisionOf(log, stream) })));
}

async function revisionOf(log: EventLog, stream: string): Promise<number> {
  let last = -1;
  for await (const { revision } of log.read(stream)) last = revision;
  return last;
}

/**
 * Existing streams that the write would change now, but that it did not change at the proposal. A reference may have got
 * a second order since: its change is not the one that was proposed.
 */
export async function addedTargets(
  log: EventLog,
  { proposed: { targets } }: Proposal,
  newEvents: DryRun,
): Promise<readonly string[]> {
  if (targets.length >= MAX_TARGETS) return [];
  const known = new Set(targets.map(({ stream }) => stream));
  const added = await targetsOf(
    log,
    newEvents.filter(({ stream }) => !known.has(stream)),
  );
  return added.filter(({ revision }) => revision >= 0).map(({ stream }) => stream);
}

/** Events that change only texts of an order. They do not make a proposal outdated. */
const IGNORED_CHANGES: ReadonlySet<string> = new Set([OrderNoteChanged.type, DeliveryInstructionChanged.type]);

const replacesText = ({ operation, arguments: args = {} }: Partial<Proposal['proposed']>): boolean =>
  operation === 'orderUpdate' && ('note' in args || 'delivery_instruction' in args);

/** Types of the events that were appended to the affected streams since the proposal, without duplicates. */
export async function changedSince(log: EventLog, { proposed }: Proposal): Promise<readonly string[]> {
  const types = new Set<string>();
  // A proposal that replaces a text is outdated if that text has changed since.
  const isIgnored = (type: string) => IGNORED_CHANGES.has(type) && !replacesText(proposed);
  for (const { stream, revision } of proposed.targets)
    for await (const { type } of log.read(stream, revision + 1)) if (!isIgnored(type)) types.add(type);
  return [...types];
}
