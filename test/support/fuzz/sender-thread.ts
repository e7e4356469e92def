/** Sends requests from a separate thread, so that this thread is free for the service under test. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Gun, Order, Outcome } from './batch.js';

export interface Battery {
  /** Only one order at a time. */
  fire(order: Order): Promise<Outcome>;
  close(): Promise<unknown>;
}

export function createBattery(gun: Gun): Battery {
  const thread = new Worker(new URL('./sender-worker.js', import.meta.url), { workerData: gun });
  return {
    async fire(order) {
      // Rejects if the thread fails.
      const outcome = once(thread, 'message');
      thread.postMessage(order);
      return (await outcome)[0] as Outcome;
    },
    close: () => thread.terminate(),
  };
}
