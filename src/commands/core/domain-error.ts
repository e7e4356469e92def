/** The codes of the API's messages that have a status. src/api/core/messages/messages.ts adds them here. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface RefusalCodes {}
/**
 * A code that a command may be refused with. "... is not assignable to type CodeWithRowInMessages" means that the code
 * has no text yet: add it to `errors` of src/messages/en.json and of the other languages, and its status to `errors` of
 * the area's registration in src/areas (a code of several areas: to `src/api/core/messages/statuses.ts`).
 */
export type CodeWithRowInMessages = keyof RefusalCodes & string;

/**
 * A command that is refused. The code is stable and is listed in the API's table of errors. It is an answer, not a
 * fault: without a stack, which would cost more than the decision where 1,000 orders are refused in one request.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: CodeWithRowInMessages,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
