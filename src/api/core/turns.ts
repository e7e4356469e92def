/**
 * Requests begin in turn by client: a flood of one queues behind itself, and all others begin with the next turn of
 * the event loop. Nothing is refused here, and nobody waits while there is time for all.
 */

import { AsyncResource } from 'node:async_hooks';

/** Milliseconds of one turn of the event loop in which requests are begun. */
const TURN_MS = 5;

export type InTurn = (client: string, begin: () => void) => void;

/** `now`: milliseconds. */
export function createTurns(now: () => number = () => performance.now()): InTurn {
  /** Whose turn it is comes first. */
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
      // After all others.
      if (begins.length > 0) waiting.set(client, begins);
      begin();
    } while (waiting.size > 0 && now() < until!);
  }

  return (client, begin) => {
    if (until === undefined) open();
    if (waiting.size === 0 && now() < until!) return begin();
    // Begun by the turn, it is still in the trace of its own request.
    const later = AsyncResource.bind(begin);
    const mine = waiting.get(client);
    if (mine) mine.push(later);
    else waiting.set(client, [later]);
  };
}
