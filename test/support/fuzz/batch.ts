/** Generates, sends and evaluates many inputs, several at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { diceOf } from './dice.js';
import { faultOf, isBehind, isRefused, shown } from './judge.js';
import { createSender, type Reply, type Sender } from './send.js';
import type { Shot } from './request.js';
import { shotsFrom, type Stock } from './stock.js';

/**
 * Number of parallel requests. Bare sockets wait and password hashing is slow, so this number keeps both services busy.
 */
const AT_ONCE = 16;
/** Number of retries, one per second, of a read that has not caught up. */
const BEHIND_AGAIN = 10;

/** Inputs to send. */
export interface Order {
  /** Numbers of the inputs. */
  readonly indexes: readonly number[];
  readonly keys: ReadonlyMap<string, string>;
  /** Stops after this many faults. */
  readonly mostFaults: number;
  /** Whether the outcome lists each request with its response. */
  readonly showing?: boolean;
}

/** Result of an order. */
export interface Outcome {
  readonly faults: string[];
  readonly refused: { readonly index: number; readonly requestId: string | undefined }[];
  /** Number of responses by status. */
  readonly statuses: Map<number, number>;
  /** Names of the operations that succeeded. */
  readonly reached: Set<string>;
  readonly shown: string[];
}

export interface Gun {
  /** Addresses of the services, which receive equal numbers of requests. */
  readonly urls: readonly string[];
  readonly seed: number;
  readonly stock: Stock;
}

export function createVolleys({ urls, seed, stock }: Gun): (order: Order) => Promise<Outcome> {
  const shotOf = shotsFrom(stock);
  const senders = urls.map((url) => createSender(url, AT_ONCE));

  async function answerTo(sender: Sender, shot: Shot, key: string | undefined): Promise<Reply> {
    let reply = await sender.send(shot, key);
    // Occurs while many requests write at the same time. A read model that never catches up still returns it after the
    // retries.
    for (let again = 1; again <= BEHIND_AGAIN && isBehind(reply); again++) {
      await sleep(1_000);
      reply = await sender.send(shot, key);
    }
    return reply;
  }

  return async ({ indexes, keys, mostFaults, showing = false }) => {
    const told: Outcome = { faults: [], refused: [], statuses: new Map(), reached: new Set(), shown: [] };
    const queue = indexes.values();
    async function fireOn(): Promise<void> {
      for (const index of queue) {
        const shot = shotOf(diceOf(seed, index));
        const key = shot.caller === undefined ? undefined : keys.get(shot.caller);
        const reply = await answerTo(senders[index % senders.length]!, shot, key);
        const fault = faultOf(shot, reply);
        if (fault !== undefined) told.faults.push(`FUZZ_ONLY=${index} ${fault}\n${shown(shot, reply)}`);
        if (isRefused(shot, reply)) told.refused.push({ index, requestId: reply.requestId });
        told.statuses.set(reply.status, (told.statuses.get(reply.status) ?? 0) + 1);
        if (reply.status >= 200 && reply.status < 300) told.reached.add(shot.name);
        if (showing) told.shown.push(shown(shot, reply));
        if (told.faults.length >= mostFaults) return;
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, fireOn));
    return told;
  };
}
