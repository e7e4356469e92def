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

/** So much longer than it takes to make an answer, nobody makes the next one. */
const RESTS = 9;
const MOST_REST_MS = 500;

/**
 * One answer for all who ask while it is made, and a rest before the next: however many ask, a tenth of the time goes
 * into it. Nobody gets an answer from before: who asks during the rest waits for the next.
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
