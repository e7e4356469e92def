/**
 * The checks between an agent and a write: dry run, approval, confirmation, in this order. It wraps `invoke`, so the
 * checks apply to every call by an agent, through a tool or through GraphQL.
 */
import type { DryRun } from '../../commands/core/handle.js';
import { checkInput } from '../core/check-input.js';
import { ApiError } from '../core/errors.js';
import type { Call } from '../core/call.js';
import { authorize, type Invoke } from '../core/invoke.js';
import type { OperationResult, Operation } from '../core/operation.js';

export interface Safety {
  /** The agent passed `confirm=true`. */
  readonly confirmed: boolean;
  /** Receives the events of a dry run, which are not appended; absent: no dry run. */
  readonly dryRun?: DryRun;
  readonly requireApproval: boolean;
  /** Counts a high-risk call against its quota; throws RATE_LIMITED. Absent: the gate has counted the call. */
  readonly countHighRisk?: () => Promise<unknown>;
  /** Queues the call for approval and returns the proposal. */
  readonly propose: (operation: Operation, input: Record<string, unknown>, call: Call) => Promise<OperationResult>;
}

/** A connection that requires approval must not approve proposals: an agent would approve its own proposal. */
export const APPROVE_OPERATION = 'proposalApprove';

/** Thrown instead of a response: the call became a proposal. */
export class QueuedForApproval extends Error {
  override readonly name = 'Queued';
  constructor(readonly answered: OperationResult) {
    super('The call waits for approval.');
  }
}

/** Throws Queued, CONFIRM_REQUIRED, APPROVAL_ELSEWHERE and RATE_LIMITED in addition to the errors of `invoke`. */
export function withSafetyChecks(
  invoke: Invoke,
  { confirmed, dryRun, requireApproval, countHighRisk, propose }: Safety,
): Invoke {
  return async (operation, input, call) => {
    if (!operation.writes) return invoke(operation, input, call);
    if (operation.risk === 'high') await countHighRisk?.();
    if (dryRun) return invoke(operation, input, { ...call, dryRun });
    authorize(operation, call.caller);
    if (requireApproval && operation.name === APPROVE_OPERATION) throw new ApiError('APPROVAL_ELSEWHERE');
    if (operation.isPreview?.(checkInput(operation, input()))) return invoke(operation, input, call);
    if (requireApproval && operation.risk === 'high')
      throw new QueuedForApproval(await propose(operation, input() as Record<string, unknown>, call));
    if (operation.confirm && !confirmed)
      throw new ApiError('CONFIRM_REQUIRED', { params: { operation: operation.name } });
    return invoke(operation, input, call);
  };
}
