/** Waits with a timeout. */

/**
 * The result of `work`. After `milliseconds` it throws the error that `late` creates; the work continues in the
 * background.
 */
export function withTimeout<T>(work: Promise<T>, milliseconds: number, timeoutError: () => Error): Promise<T> {
  // One promise: `race` and `finally` would create four for each request.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timeoutError()), milliseconds);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });
}

/** Waits for a step of a shutdown. Ignores a failure or timeout, so that the remaining steps still run in order. */
export async function waitAtMost(step: Promise<unknown>, milliseconds: number): Promise<void> {
  await withTimeout(step, milliseconds, () => new Error('timeout')).catch(() => undefined);
}
