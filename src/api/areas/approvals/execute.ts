/** Executes an approved write exactly once: the command id is derived from the proposal id. */
import type { ApprovalCommand } from '../../../commands/approvals/decider.js';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import { proposalStream, type ProposalStatus } from '../../../events/approvals/events.js';
import type { Position } from '../../../events/core/log.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { Proposal } from '../../../projections/approvals/queries.js';
import type { UserCaller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { innerCall } from '../../core/inner-call.js';
import type { Invoke } from '../../core/invoke.js';
import { isRepresentation, type Operation } from '../../core/operation.js';
import { toApiError } from '../../core/problem.js';

/** Maximum length in characters of a response that is stored with the proposal. */
const MAX_RESPONSE_LENGTH = 65_536;

export interface ExecuteOptions {
  readonly handle: Handle<ApprovalCommand, ProposalStatus>;
  readonly invoke: () => Invoke;
  /** Waits until the read model contains the decision, or until a timeout. */
  readonly awaitReadModel: (position: Position | undefined) => Promise<unknown>;
}

/** Records the outcome and returns the position of that event. Throws the error of the operation. */
export type Execute = (
  proposal: Proposal,
  target: Operation,
  reviewer: UserCaller,
  execution: { readonly approvedAt: number; readonly causationId: string; readonly cause: Cause },
) => Promise<Position | undefined>;

export function createExecute({ handle, invoke, awaitReadModel }: ExecuteOptions): Execute {
  return async (proposal, target, reviewer, { approvedAt, causationId, cause }) => {
    const stream = proposalStream(proposal.id);
    const id = derivedId('proposal execution', proposal.id);
    const commandFields = { proposalId: proposal.id, commandId: id };
    try {
      const { result } = await invoke()(target, () => argumentsOf(proposal), {
        ...innerCall(reviewer, cause),
        causationId,
        command: { id, time: approvedAt },
      });
      return (
        await handle(stream, { do: 'execute', ...commandFields, data: { answer: toStoredResult(result) } }, cause)
      ).position;
    } catch (thrown) {
      const error = toApiError(thrown);
      // It is unknown whether the write happened: the retry will show.
      if (!isWriteError(error) && error.status !== 403) throw error;
      await awaitReadModel(
        (await handle(stream, { do: 'fail', ...commandFields, data: { code: error.code, reason: error.code } }, cause))
          .position,
      );
      throw error;
    }
  };
}

/** The arguments of a proposal; throws NOT_FOUND if they were erased. */
export const argumentsOf = ({ proposed }: Proposal): Record<string, unknown> => {
  if (!proposed.arguments) throw new ApiError('NOT_FOUND');
  return proposed.arguments;
};

/** Whether the operation itself refused the write, as opposed to permissions, rate limits or unavailable services. */
export const isWriteError = ({ status }: ApiError): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;

/** The response of the operation, or only its size if it is too long. */
function toStoredResult(result: unknown): Record<string, unknown> {
  if (isRepresentation(result)) return { media_type: result.mediaType, bytes: result.body.length };
  const text = JSON.stringify(result ?? {});
  return text.length > MAX_RESPONSE_LENGTH
    ? { truncated: true, bytes: text.length }
    : (JSON.parse(text) as Record<string, unknown>);
}
