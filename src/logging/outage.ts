/**
 * Reduces repeated log lines during an outage: the first line of each kind is logged immediately, and then the number
 * of repetitions every ten seconds.
 */
import type { Logger, LogFn } from 'pino';

const ERROR_LEVEL = 50;
/** Maximum number of kinds that are counted at a time; lines of other kinds are logged individually. */
const MAX_KINDS = 64;

/**
 * Creates a hook for the logger. `isOutage`: whether an error only says that an engine is unavailable. `every`:
 * milliseconds.
 */
export function countOutages(isOutage: (error: unknown) => boolean, every = 10_000) {
  /** Kind of a line -> number of lines that were suppressed since. */
  const held = new Map<string, number>();

  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    const fields = args[0] as { err?: unknown } | undefined;
    const error = typeof fields === 'object' && fields !== null ? fields.err : undefined;
    const outage = level < ERROR_LEVEL ? undefined : causes(error).find(isOutage);
    if (outage === undefined) return method.apply(this, args);
    const text = String(args[1] ?? '');
    // Includes the error code, so that a full disk is logged even while lines of an unavailable server are suppressed.
    const kind = `${text} ${String((outage as { code?: unknown }).code)}`;
    const count = held.get(kind);
    if (count !== undefined) return void held.set(kind, count + 1);
    method.apply(this, args);
    if (held.size < MAX_KINDS) hold(this, kind, text, method);
  };

  function hold(logger: Logger, kind: string, text: string, method: LogFn): void {
    held.set(kind, 0);
    setTimeout(() => {
      const repeated = held.get(kind) ?? 0;
      held.delete(kind);
      if (repeated === 0) return;
      method.call(logger, { repeated, seconds: every / 1_000 }, text);
      hold(logger, kind, text, method);
    }, every).unref();
  }
}

/** The error and its causes. */
function causes(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at instanceof Error && all.length < 5; at = at.cause) all.push(at);
  return all;
}
