/**
 * Starts requests in turn by client: a flood of one client queues behind itself, and requests of all other clients
 * start with the next turn of the event loop. Nothing is rejected here, and no request waits while there is time for
 * all.
 */

import { AsyncResource } from 'node:async_hooks';

/** Milliseconds per turn of the event loop in which requests are started. */
const TURN_MS = 5;

export type InTurn = (client: string, begin: () => void) => void;

/** `now`: milliseconds. */
export function createTurns(now: () => number = () => performance.now()): InTurn {
  /** Queues by client; the first client is the next to start. */
  const waiting = new Map<string, (() => void)[]>();
  let until: number | undefined;

  function open(): void {
    until = now() + TURN_MS;
    setImmediate(next);
  }

  function next(): void {
    until = undefined;
    if (waiting.size === 0) return;
    open();
    do {
      const [client, begins] = waiting.entries().next().value!;
      waiting.delete(client);
      const begin = begins.shift()!;
      // Behind all other clients.
      if (begins.length > 0) waiting.set(client, begins);
      begin();
    } while (waiting.size > 0 && now() < until!);
  }

  return (client, begin) => {
    if (until === undefined) open();
    if (waiting.size === 0 && now() < until!) return begin();
    // Binds the request's async context, so that the request keeps its trace although the turn starts it.
    const later = AsyncResource.bind(begin);
    const mine = waiting.get(client);
    if (mine) mine.push(later);
    else waiting.set(client, [later]);
  };
}
