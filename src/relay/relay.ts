/**
 * Sends every event of the log to the broker, in order per stream and at least once. One batch is in flight at a time;
 * its position is stored after the acknowledgement. Only one of all processes works at a time, with the same lease as a
 * projection; another process takes over the work of a dead one.
 */
import { unwrapped, type WrapBatch } from '../events/core/wrap-batch.js';
import type { Message } from '../events/core/broker.js';
import type { Batch, Position } from '../events/core/log.js';
import type { LeaseHolder } from '../events/core/time-limits.js';
import { advance } from '../projections/core/checkpoints.js';
import { workUnderLease } from '../projections/core/work-under-lease.js';
import type { Parts } from '../projections/core/parts.js';
import { readAhead } from './read-ahead.js';

/** Its row in the checkpoint table. */
export const RELAY = { name: 'relay:kafka', version: 1 } as const;

const BATCH = 1_000;
/** Shorter than the lease. Another process may take over, but need not. */
const MAX_RETRY_MS = 5_000;

export interface RelayOptions extends Parts<'log' | 'pool' | 'onError'> {
  /** This process. */
  readonly owner: LeaseHolder;
  /** Creates the topics. Called once per lease, before the first events. */
  readonly prepare: () => Promise<void>;
  readonly toMessage: (event: Batch['events'][number]) => Message;
  /** Resolves when the messages are acknowledged. */
  readonly send: (messages: readonly Message[]) => Promise<void>;
  readonly wrap?: WrapBatch;
  readonly onRelayed: (batch: Batch) => void;
}

export type Relay = ReturnType<typeof startRelay>;

export function startRelay(options: RelayOptions) {
  const { log, pool, owner, wrap = unwrapped } = options;
  const stopping = new AbortController();
  const running = workUnderLease({
    pool,
    reader: RELAY,
    owner,
    stopping: stopping.signal,
    work: relayFrom,
    onError: options.onError,
    maxPause: MAX_RETRY_MS,
  });

  // This does not use a follower (projections/core/follower.ts). The next batch is read and converted while this one is
  // sent, and topics are created once per lease.
  async function relayFrom(from: Position, signal: AbortSignal, succeeded: () => void): Promise<void> {
    let stored = from;
    let prepared = false;
    for await (const { batch, messages } of readAhead((signal) => messagesFrom(from, signal), signal)) {
      if (signal.aborted) return;
      await wrap('relay', batch.events, async () => {
        if (messages.length > 0) {
          if (!prepared) await options.prepare();
          prepared = true;
          await options.send(messages);
        }
        if (batch.position > stored) await advance(pool, owner, { reader: RELAY, from: stored, to: batch.position });
      });
      stored = batch.position;
      succeeded();
      options.onRelayed(batch);
    }
  }

  async function* messagesFrom(from: Position, signal: AbortSignal) {
    for await (const batch of log.subscribe(from, { batch: BATCH, signal }))
      yield { batch, messages: batch.events.map(options.toMessage) };
  }

  return {
    /** Finishes the current batch and releases the lease. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
