/**
 * Sends every event of the log to the broker, in order per stream, at least once: one batch under way, its position stored after
 * the acknowledgement. Of all processes that run it one works, under the same lease as a projection; a dead one's work is taken over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { plainly, type Around } from '../events/around.js';
import type { Message } from '../events/broker.js';
import type { Batch, EventLog, Position } from '../events/log.js';
import { acquire, advance, LEASE_SECONDS, LeaseLost, register, release, renew } from '../projections/checkpoints.js';
import { readAhead } from './read-ahead.js';

/** Its row among the checkpoints. */
export const RELAY = { name: 'relay:kafka', version: 1 } as const;

const BATCH = 1_000;
/** How often a process looks whether the one that works is still there; also the first pause after an error. */
const RETRY_MS = 500;
/** Shorter than the lease: another process may try its luck, but need not. */
const MAX_RETRY_MS = 5_000;

export interface RelayOptions {
  readonly log: EventLog;
  readonly pool: Pool;
  /** UUID of this process. */
  readonly owner: string;
  /** Before the first events of a lease: makes the topics. */
  readonly prepare: () => Promise<void>;
  readonly toMessage: (event: Batch['events'][number]) => Message;
  /** Resolves once the messages are acknowledged. */
  readonly send: (messages: readonly Message[]) => Promise<void>;
  readonly around?: Around;
  readonly onRelayed: (batch: Batch) => void;
  readonly onError: (error: unknown) => void;
}

export interface Relay {
  /** Finishes the batch under way and gives the lease back. */
  stop(): Promise<void>;
}

export function startRelay(options: RelayOptions): Relay {
  const { log, pool, owner, around = plainly } = options;
  const stopping = new AbortController();
  const running = keepRunning();

  async function keepRunning(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        await register(pool, RELAY);
        const position = await acquire(pool, RELAY, owner);
        if (position !== undefined) await relayUnderLease(position, () => (failures = 0));
      } catch (error) {
        if (!(error instanceof LeaseLost)) {
          failures++;
          options.onError(error);
        }
      }
      const pause = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.max(0, failures - 1)) * (0.75 + Math.random() / 2);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await release(pool, RELAY.name, owner).catch(() => undefined);
  }

  async function relayUnderLease(from: Position, onSuccess: () => void): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const heartbeat = setInterval(() => void renew(pool, RELAY.name, owner).then((held) => held || lost.abort(), () => lost.abort()), (LEASE_SECONDS * 1_000) / 3);
    try {
      let stored = from;
      let prepared = false;
      for await (const { batch, messages } of readAhead((signal) => messagesFrom(from, signal), signal)) {
        if (signal.aborted) return;
        await around('relay', batch.events, async () => {
          if (messages.length > 0) {
            if (!prepared) await options.prepare();
            prepared = true;
            await options.send(messages);
          }
          if (batch.position > stored) await advance(pool, RELAY, owner, stored, batch.position);
        });
        stored = batch.position;
        onSuccess();
        options.onRelayed(batch);
      }
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function* messagesFrom(from: Position, signal: AbortSignal) {
    for await (const batch of log.subscribe(from, { batch: BATCH, signal })) yield { batch, messages: batch.events.map(options.toMessage) };
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
