/**
 * What an outage makes everybody say again and again, said once and counted: the first line of each kind at once, then
 * how many more there were, every ten seconds.
 */
import type { Logger, LogFn } from 'pino';

const ERROR_LEVEL = 50;
/** Kinds of lines that are counted at a time; more are told as they come. */
const MOST_KINDS = 64;

/** A hook for the log. `isOutage`: whether an error says that an engine is away, nothing else. `every`: milliseconds. */
export function countOutages(isOutage: (error: unknown) => boolean, every = 10_000) {
  /** What is told in a line -> how often it was held back since. */
  const held = new Map<string, number>();

  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    const fields = args[0] as { err?: unknown } | undefined;
    const error = typeof fields === 'object' && fields !== null ? fields.err : undefined;
    const outage = level < ERROR_LEVEL ? undefined : causes(error).find(isOutage);
    if (outage === undefined) return method.apply(this, args);
    const text = String(args[1] ?? '');
    // A full disk is told also while it is told that the server was away.
    const kind = `${text} ${String((outage as { code?: unknown }).code)}`;
    const count = held.get(kind);
    if (count !== undefined) return void held.set(kind, count + 1);
    method.apply(this, args);
    if (held.size < MOST_KINDS) hold(this, kind, text, method);
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

/** The error and what it came from. */
function causes(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at instanceof Error && all.length < 5; at = at.cause) all.push(at);
  return all;
}
