/** The error codes of the API that have an HTTP status. src/api/core/messages/messages.ts adds them here. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface RefusalCodes {}
/**
 * An error code that a command may be rejected with. The compiler error "... is not assignable to type
 * CodeWithRowInMessages" means that the code has no text yet. To add the code:
 *
 * - Add its text to `errors` of src/messages/en.json and of the other languages.
 * - Add its status to `errors` of the area's registration in src/areas. For a code of several areas, add it to
 *   `src/api/core/messages/statuses.ts`.
 */
export type CodeWithRowInMessages = keyof RefusalCodes & string;

/**
 * A rejected command. The code is stable and is listed in the API's table of errors. The error is an expected result
 * and has no stack trace. A stack trace would cost more than the decision if one request has 1,000 rejected orders.
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
