/** Timeouts and retries for calls to a server that may not respond. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable } from '../../events/core/log.js';

export interface RetryOptions {
  /** Maximum number of calls. */
  readonly attempts: number;
  /** Maximum milliseconds of a call, or of one step of it. */
  readonly timeout: number;
  /** Milliseconds before the second call. Doubles for each additional call, up to `maxDelay`. */
  readonly delay: number;
  readonly maxDelay: number;
  /** Stops the retries. */
  readonly closed?: AbortSignal;
  /** Whether a retry may succeed. */
  readonly isTransient: (error: unknown) => boolean;
  /** Called for every failure that is followed by a retry. */
  readonly onRetry: (error: unknown, failures: number) => void;
}

/**
 * Calls until the call succeeds, the error is permanent, or the attempts are used up. Then it throws LogUnavailable
 * with the last error as its cause. `call` limits its own time and must be safe to repeat.
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
 * The same for a sequence: after a failure, `open` is called again and must continue after the last item. Each item
 * resets the number of failures.
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
 * The delay in milliseconds: a random value between half and all of the exponential delay, so that callers that failed
 * together do not retry together.
 */
export function backOff({ delay, maxDelay }: RetryOptions, failures: number): number {
  return Math.min(maxDelay, delay * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}

/** Rejects with LogUnavailable if the promise takes longer than `timeout` milliseconds. */
export async function withTimeout<T>(promise: Promise<T>, timeout: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LogUnavailable(`EventStoreDB did not respond within ${timeout} ms.`)), timeout);
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
