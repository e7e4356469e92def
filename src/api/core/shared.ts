import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. */
export interface Clock {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}
const CLOCK: Clock = {
  now: () => performance.now(),
  pause: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
};

/** Pause before the next computation, as a multiple of the duration of the last one. */
const RESTS = 9;
const MOST_REST_MS = 500;

/**
 * Shares one computation between all callers that arrive before it ends, and pauses before the next one, so that it
 * takes at most a tenth of the time. No caller gets an older result: a caller during the pause waits for the next
 * computation.
 */
export function shared<T>(make: () => Promise<T>, { now, pause }: Clock = CLOCK): () => Promise<T> {
  let rest: Promise<unknown> = Promise.resolve();
  let made: Promise<T> | undefined;
  const makeOne = async (): Promise<T> => {
    const began = now();
    try {
      return await make();
    } finally {
      made = undefined;
      rest = pause(Math.min(MOST_REST_MS, RESTS * (now() - began)));
    }
  };
  return () => (made ??= rest.then(makeOne));
}
