/** Generates, sends and evaluates many inputs, several at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from './random.js';
import { faultOf, isBehind, isRefused, shown } from './response-checks.js';
import { createSender, type Reply, type Sender } from './send.js';
import type { FuzzRequest } from './request.js';
import { createGenerator, type FuzzInputs } from './request-generator.js';

/**
 * Number of parallel requests. Bare sockets wait and password hashing is slow, so this number keeps both services busy.
 */
const AT_ONCE = 16;
/** Number of retries, one per second, of a read that has not caught up. */
const MAX_RETRIES = 10;

/** Inputs to send. */
export interface Batch {
  /** Numbers of the inputs. */
  readonly indexes: readonly number[];
  readonly keys: ReadonlyMap<string, string>;
  /** Stops after this many faults. */
  readonly maxFaults: number;
  /** Whether the outcome lists each request with its response. */
  readonly listsRequests?: boolean;
}

/** Result of an order. */
export interface BatchOutcome {
  readonly faults: string[];
  readonly refused: { readonly index: number; readonly requestId: string | undefined }[];
  /** Number of responses by status. */
  readonly statuses: Map<number, number>;
  /** Names of the operations that succeeded. */
  readonly reached: Set<string>;
  readonly shown: string[];
}

export interface BatchRunnerOptions {
  /** Addresses of the services, which receive equal numbers of requests. */
  readonly urls: readonly string[];
  readonly seed: number;
  readonly inputs: FuzzInputs;
}

export function createBatchRunner({ urls, seed, inputs }: BatchRunnerOptions): (order: Batch) => Promise<BatchOutcome> {
  const generateRequest = createGenerator(inputs);
  const senders = urls.map((url) => createSender(url, AT_ONCE));

  async function responseTo(sender: Sender, fuzzRequest: FuzzRequest, key: string | undefined): Promise<Reply> {
    let reply = await sender.send(fuzzRequest, key);
    // Occurs while many requests write at the same time. A read model that never catches up still returns it after the
    // retries.
    for (let again = 1; again <= MAX_RETRIES && isBehind(reply); again++) {
      await sleep(1_000);
      reply = await sender.send(fuzzRequest, key);
    }
    return reply;
  }

  return async ({ indexes, keys, maxFaults, listsRequests = false }) => {
    const outcome: BatchOutcome = { faults: [], refused: [], statuses: new Map(), reached: new Set(), shown: [] };
    const queue = indexes.values();
    async function sendRequests(): Promise<void> {
      for (const index of queue) {
        const fuzzRequest = generateRequest(randomOf(seed, index));
        const key = fuzzRequest.caller === undefined ? undefined : keys.get(fuzzRequest.caller);
        const reply = await responseTo(senders[index % senders.length]!, fuzzRequest, key);
        const fault = faultOf(fuzzRequest, reply);
        if (fault !== undefined) outcome.faults.push(`FUZZ_ONLY=${index} ${fault}\n${shown(fuzzRequest, reply)}`);
        if (isRefused(fuzzRequest, reply)) outcome.refused.push({ index, requestId: reply.requestId });
        outcome.statuses.set(reply.status, (outcome.statuses.get(reply.status) ?? 0) + 1);
        if (reply.status >= 200 && reply.status < 300) outcome.reached.add(fuzzRequest.name);
        if (listsRequests) outcome.shown.push(shown(fuzzRequest, reply));
        if (outcome.faults.length >= maxFaults) return;
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sendRequests));
    return outcome;
  };
}
