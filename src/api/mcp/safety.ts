/**
 * The steps between an agent and a write: dry run, approval, confirmation, in this order. It wraps `invoke`, so that
 * it holds for an operation however an agent calls it, through its tool or through GraphQL.
 */
import type { Rehearsal } from '../../commands/core/handle.js';
import { ApiError } from '../core/errors.js';
import type { Call } from '../core/call.js';
import { admit, type Invoke } from '../core/invoke.js';
import type { Answered, Operation } from '../core/operation.js';

export interface Safety {
  /** The agent said `confirm=true`. */
  readonly confirmed: boolean;
  /** What would be appended is put here, and nothing is; absent: this is no dry run. */
  readonly rehearsal?: Rehearsal;
  readonly requireApproval: boolean;
  /** Queues the call for a human, and answers with the proposal. */
  readonly propose: (operation: Operation, input: Record<string, unknown>, call: Call) => Promise<Answered>;
}

/** Approving is what a connection that asks for approvals must not do: an agent would approve itself. */
export const APPROVING = 'proposalApprove';

/** Instead of an answer of the operation: the proposal that the call became. */
export class Queued extends Error {
  override readonly name = 'Queued';
  constructor(readonly answered: Answered) {
    super('The call waits for approval.');
  }
}

/** Throws Queued, CONFIRM_REQUIRED and APPROVAL_ELSEWHERE in addition to what `invoke` throws. */
export function guarded(invoke: Invoke, { confirmed, rehearsal, requireApproval, propose }: Safety): Invoke {
  return async (operation, input, call) => {
    if (!operation.writes) return invoke(operation, input, call);
    if (rehearsal) return invoke(operation, input, { ...call, rehearsal });
    admit(operation, call.caller);
    if (requireApproval && operation.name === APPROVING) throw new ApiError('APPROVAL_ELSEWHERE');
    if (requireApproval && operation.risk === 'high')
      throw new Queued(await propose(operation, input() as Record<string, unknown>, call));
    if (operation.confirm && !confirmed)
      throw new ApiError('CONFIRM_REQUIRED', { params: { operation: operation.name } });
    return invoke(operation, input, call);
  };
}
