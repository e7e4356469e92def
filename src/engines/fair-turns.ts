/**
 * Runs a few pieces of expensive work at a time, and alternates between clients. A flood of one client queues behind
 * itself. When the queue is full, the client with the most waiting calls loses its last one, so other clients always
 * find room.
 */

/** The queue is full of calls of this client, or of as many clients as it has places. */
export class TurnRefused extends Error {
  override readonly name = 'TurnRefused';
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (reason: TurnRefused) => void;
}

export interface FairTurnsOptions {
  /** Maximum number of calls that run at the same time. */
  readonly atOnce: number;
  /** Maximum number of calls that wait. */
  readonly maxWaiting: number;
  /** Maximum number of waiting calls of one client. */
  readonly maxWaitingPerClient: number;
}

/** Runs the work in the client's turn. Throws TurnRefused before the work starts. */
export type FairTurns = <T>(client: string, work: () => Promise<T>) => Promise<T>;

export function createFairTurns({ atOnce, maxWaiting, maxWaitingPerClient }: FairTurnsOptions): FairTurns {
  let running = 0;
  let size = 0;
  /** Waiting calls by client; the first client is the next to start. */
  const queues = new Map<string, Waiting[]>();

  function takeNext(): Waiting | undefined {
    const first = queues.entries().next().value;
    if (!first) return undefined;
    const [client, queue] = first;
    queues.delete(client);
    const next = queue.shift()!;
    size--;
    // Behind all other clients.
    if (queue.length > 0) queues.set(client, queue);
    return next;
  }

  /** Refuses the last call of the client with the most, if it has more than the given number. */
  function makeRoom(fewer: number): boolean {
    const [client, longest] = [...queues].reduce((a, b) => (b[1].length > a[1].length ? b : a));
    if (longest.length <= fewer + 1) return false;
    longest.pop()!.refuse(new TurnRefused(client));
    size--;
    return true;
  }

  function waitForTurn(client: string): Promise<void> {
    const queue = queues.get(client) ?? [];
    if (queue.length >= maxWaitingPerClient || (size >= maxWaiting && !makeRoom(queue.length)))
      throw new TurnRefused(client);
    return new Promise((start, refuse) => {
      queue.push({ start, refuse });
      queues.set(client, queue);
      size++;
    });
  }

  return async (client, work) => {
    if (running >= atOnce) await waitForTurn(client);
    else running++;
    try {
      return await work();
    } finally {
      // The turn passes to the next call, or becomes free.
      const next = takeNext();
      if (next) next.start();
      else running--;
    }
  };
}
