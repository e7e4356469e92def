/** The worker threads that this process starts from now on. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';

export interface StartedThreads {
  readonly count: () => number;
  /** Waits until all of them execute code. One that is terminated before that ends with 0. */
  readonly online: () => Promise<unknown>;
  /** Waits for the end of all of them, and gives their exit codes: 0 by themselves, 1 terminated. */
  readonly codes: () => Promise<readonly number[]>;
}

export function threadsStarted(): StartedThreads {
  const starts: Promise<unknown>[] = [];
  const ends: Promise<number>[] = [];
  const hear = (worker: Worker): void => {
    starts.push(once(worker, 'online'));
    ends.push(once(worker, 'exit').then(([code]) => code as number));
  };
  process.on('worker', hear);
  return {
    count: () => ends.length,
    async online() {
      // Node reports a thread in the next tick.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(starts);
    },
    codes() {
      process.off('worker', hear);
      return Promise.all(ends);
    },
  };
}
