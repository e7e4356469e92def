/** Time limits and repetition for calls to a server that may not answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable } from '../../events/core/log.js';

export interface RetryOptions {
  /** Calls in all, before giving up. */
  readonly attempts: number;
  /** Milliseconds that a call, or one step of it, may take. */
  readonly timeout: number;
  /** Milliseconds before the second call; doubles for each that follows, up to `maxDelay`. */
  readonly delay: number;
  readonly maxDelay: number;
  /** Ends the attempts. */
  readonly closed?: AbortSignal;
  /** Whether another attempt may succeed. */
  readonly isTransient: (error: unknown) => boolean;
  /** Hears of every failure that is followed by another attempt. */
  readonly onRetry: (error: unknown, failures: number) => void;
}

/**
 * Calls until it succeeds, the error is permanent, or the attempts are used up: then it throws LogUnavailable with the
 * last error as its cause. `call` limits its own time, and must be safe to repeat.
 */
export async function retry<T>(options: RetryOptions, call: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      await recover(options, error, failures);
    }
  }
}

/**
 * The same for a sequence: `open` is called again after a failure and must continue after the last item. Each item
 * restores the attempts.
 */
export async function* resume<T>(options: RetryOptions, open: () => AsyncIterable<T>): AsyncGenerator<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      for await (const item of open()) {
        failures = 0;
        yield item;
      }
      return;
    } catch (error) {
      await recover(options, error, Math.max(1, failures));
    }
  }
}

/**
 * Half to all of the exponential delay, in milliseconds: many callers that failed together do not come back together.
 */
export function backOff({ delay, maxDelay }: RetryOptions, failures: number): number {
  return Math.min(maxDelay, delay * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}

/** Rejects with LogUnavailable when the promise takes longer than `timeout` milliseconds. */
export async function withTimeout<T>(promise: Promise<T>, timeout: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LogUnavailable(`EventStoreDB did not answer within ${timeout} ms.`)), timeout);
  });
  try {
    return await Promise.race([promise, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

async function recover(options: RetryOptions, error: unknown, failures: number): Promise<void> {
  if (options.closed?.aborted) throw new LogUnavailable('The log is closed.', { cause: error });
  if (!options.isTransient(error)) throw error;
  if (failures >= options.attempts) {
    const reason = error instanceof Error && error.message ? error.message : String(error);
    throw new LogUnavailable(`EventStoreDB is unavailable after ${failures} attempts: ${reason}`, { cause: error });
  }
  options.onRetry(error, failures);
  await sleep(backOff(options, failures));
}
