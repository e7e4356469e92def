import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. */
export interface Clock {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}
const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  pause: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
};

/** Pause before the next computation, as a multiple of the duration of the last one. */
const PAUSE_FACTOR = 9;
const MAX_PAUSE_MS = 500;

/**
 * Shares one computation between all callers that arrive before it ends, and pauses before the next one, so that it
 * takes at most a tenth of the time. No caller gets an older result: a caller during the pause waits for the next
 * computation.
 */
export function shareComputation<T>(compute: () => Promise<T>, { now, pause }: Clock = SYSTEM_CLOCK): () => Promise<T> {
  let pauseEnd: Promise<unknown> = Promise.resolve();
  let running: Promise<T> | undefined;
  const run = async (): Promise<T> => {
    const began = now();
    try {
      return await compute();
    } finally {
      running = undefined;
      pauseEnd = pause(Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (now() - began)));
    }
  };
  return () => (running ??= pauseEnd.then(run));
}
