/**
 * A startup error that the operator can fix. The message contains the cause and the solution, so no stack trace is
 * needed.
 */
export class StartupError extends Error {
  override readonly name = 'StartRefused';
}
