/**
 * Starts requests of different clients in alternation: a flood of one client queues behind itself, and requests of all
 * other clients start with the next turn of the event loop. Nothing is rejected here, and no request waits while there
 * is time for all.
 */

import { AsyncResource } from 'node:async_hooks';

/** Milliseconds per turn of the event loop in which requests are started. */
const TURN_MS = 5;

export type FairQueue = (client: string, start: () => void) => void;

/** `now`: milliseconds. */
export function createFairQueue(now: () => number = () => performance.now()): FairQueue {
  /** Queues by client; the first client is the next to start. */
  const waiting = new Map<string, (() => void)[]>();
  let turnEnd: number | undefined;

  function open(): void {
    turnEnd = now() + TURN_MS;
    setImmediate(next);
  }

  function next(): void {
    turnEnd = undefined;
    if (waiting.size === 0) return;
    open();
    do {
      const [client, queue] = waiting.entries().next().value!;
      waiting.delete(client);
      const start = queue.shift()!;
      // Behind all other clients.
      if (queue.length > 0) waiting.set(client, queue);
      start();
    } while (waiting.size > 0 && now() < turnEnd!);
  }

  return (client, start) => {
    if (turnEnd === undefined) open();
    if (waiting.size === 0 && now() < turnEnd!) return start();
    // Binds the request's async context, so that the request keeps its trace although the turn starts it.
    const bound = AsyncResource.bind(start);
    const queue = waiting.get(client);
    if (queue) queue.push(bound);
    else waiting.set(client, [bound]);
  };
}
