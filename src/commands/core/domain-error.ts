/**
 * A command that may not happen. The code is stable and stands in the API's table of errors. It is an answer, not a
 * fault: without a stack, which would cost more than the decision where 1,000 orders are refused in one request.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: string,
    message: string,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
