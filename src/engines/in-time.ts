/** Waiting, but not for ever. */

/** The result of `work`; after `milliseconds` throws what `late` makes, and the work continues on its own. */
export function within<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  // One promise: `race` and `finally` would make four for each request.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds);
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

/** Waits for a step of a shutdown: what hangs or fails is left behind, and the rest still ends in order. */
export async function inTime(step: Promise<unknown>, milliseconds: number): Promise<void> {
  await within(step, milliseconds, () => new Error('too late')).catch(() => undefined);
}
