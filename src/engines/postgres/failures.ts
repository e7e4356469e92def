/** What an error of the database's driver means, for retries and for answers to callers. */

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/**
 * The server is away, restarting, out of connections or out of disk, or its password is being changed: nobody is at
 * fault, and it passes.
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
 * Wider: nothing that says the statement itself is wrong. Trying it again does no harm; what such an error means to a
 * caller is another question.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isUnavailable(error) || isTransient(error)) return true;
  const code = codeOf(error);
  return typeof code === 'string'
    ? /^(XX|E[A-Z]+$)/.test(code)
    : /terminat|timeout|connection|ended|closed/i.test(error.message);
}

/** Errors after which the same transaction may simply be tried again. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(String(codeOf(error)));
