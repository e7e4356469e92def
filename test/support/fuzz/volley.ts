/** Many inputs, some at once: made, sent and judged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { diceOf } from './dice.js';
import { faultOf, isBehind, isRefused, shown } from './judge.js';
import { createSender, type Reply, type Sender } from './send.js';
import type { Shot } from './shot.js';
import { shotsFrom, type Stock } from './stock.js';

/** Bare sockets wait, and passwords are hashed: so many that both services always have something to do. */
const AT_ONCE = 16;
/** Seconds that a read may ask to come again. */
const BEHIND_AGAIN = 10;

/** What is to be fired. */
export interface Order {
  /** The numbers of the inputs. */
  readonly indexes: readonly number[];
  readonly keys: ReadonlyMap<string, string>;
  /** The rest stays where so many failed. */
  readonly mostFaults: number;
  /** Whether each is told as it went out and came back. */
  readonly showing?: boolean;
}

/** What came of an order. */
export interface Outcome {
  readonly faults: string[];
  readonly refused: { readonly index: number; readonly requestId: string | undefined }[];
  /** How many answers had which status. */
  readonly statuses: Map<number, number>;
  /** What was answered with success. */
  readonly reached: Set<string>;
  readonly shown: string[];
}

export interface Gun {
  /** Of the services, each of which gets as many. */
  readonly urls: readonly string[];
  readonly seed: number;
  readonly stock: Stock;
}

export function createVolleys({ urls, seed, stock }: Gun): (order: Order) => Promise<Outcome> {
  const shotOf = shotsFrom(stock);
  const senders = urls.map((url) => createSender(url, AT_ONCE));

  async function answerTo(sender: Sender, shot: Shot, key: string | undefined): Promise<Reply> {
    let reply = await sender.send(shot, key);
    // Said while all write at once; a read model that stays behind says it for ever.
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
