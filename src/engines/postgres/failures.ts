/** Classifies errors of the database driver, for retries and for responses to callers. */

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/**
 * Whether the failure is temporary: the server is unavailable, restarting, out of connections or out of disk, or its
 * password is being changed.
 */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (typeof code === 'string')
    return /^(08|28|53|57P|58)/.test(code) || code === '57014' || /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_)/.test(code);
  return (
    error instanceof Error &&
    /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout)/.test(
      error.message,
    )
  );
}

/**
 * A wider class: all errors that do not show that the statement itself is wrong. A retry does no harm. The class does
 * not determine the response to a caller.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isUnavailable(error) || isTransient(error)) return true;
  const code = codeOf(error);
  return typeof code === 'string'
    ? /^(XX|E[A-Z]+$)/.test(code)
    : /terminat|timeout|connection|ended|closed/i.test(error.message);
}

/** Errors after which the same transaction can be retried. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(String(codeOf(error)));
