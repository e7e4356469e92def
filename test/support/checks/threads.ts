/** Records the worker threads that this process starts from now on. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';

export interface StartedThreads {
  readonly count: () => number;
  /** Waits until all of them execute code. A thread that is terminated before that has the exit code 0. */
  readonly online: () => Promise<unknown>;
  /** Waits until all of them have ended. Returns their exit codes: 0 for a normal end, 1 if terminated. */
  readonly codes: () => Promise<readonly number[]>;
}

export function watchThreads(): StartedThreads {
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
      // Node reports a new thread in the next tick.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(starts);
    },
    codes() {
      process.off('worker', hear);
      return Promise.all(ends);
    },
  };
}
