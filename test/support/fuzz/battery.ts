/** Fires from a thread of its own, which leaves this one to the service that is fired at. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Gun, Order, Outcome } from './volley.js';

export interface Battery {
  /** One order at a time. */
  fire(order: Order): Promise<Outcome>;
  close(): Promise<unknown>;
}

export function createBattery(gun: Gun): Battery {
  const thread = new Worker(new URL('./gunner.js', import.meta.url), { workerData: gun });
  return {
    async fire(order) {
      // Rejects where the thread breaks.
      const outcome = once(thread, 'message');
      thread.postMessage(order);
      return (await outcome)[0] as Outcome;
    },
    close: () => thread.terminate(),
  };
}
