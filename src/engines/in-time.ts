/** Waiting, but not for ever. */

/** The result of `work`; after `milliseconds` throws what `late` makes, and the work continues on its own. */
export function within<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(late()), milliseconds)));
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** Waits for a step of a shutdown: what hangs or fails is left behind, and the rest still ends in order. */
export async function inTime(step: Promise<unknown>, milliseconds: number): Promise<void> {
  await within(step, milliseconds, () => new Error('too late')).catch(() => undefined);
}
