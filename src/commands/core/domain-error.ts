/**
 * The codes that a command may be refused with: those of the messages of the API, which adds them here
 * (src/api/core/messages).
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface RefusalCodes {}
export type RefusalCode = keyof RefusalCodes & string;

/**
 * A command that is refused. The code is stable and is listed in the API's table of errors. It is an answer, not a
 * fault: without a stack, which would cost more than the decision where 1,000 orders are refused in one request.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: RefusalCode,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
