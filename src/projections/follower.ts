/**
 * Reads the log from a checkpoint on, under a lease: for read models, for policies that act on what happened, for tables that need
 * keys. Of all processes that run one, one works; a dead one's work is taken over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import type { Batch, EventLog, Position } from '../events/log.js';
import { advance, register, type Reader } from './checkpoints.js';
import { keepWorking } from './leased.js';
import type { Progress } from './progress.js';

/** How often a follower looks while others' events pass it by: its position is stored each time. */
const IDLE_MS = 100;

export interface FollowerOptions {
  readonly reader: Reader & { readonly prefixes?: readonly string[] };
  readonly log: EventLog;
  readonly pool: Pool;
  /** UUID of this process. */
  readonly owner: string;
  readonly progress: Progress;
  /** Most events at once. */
  readonly batch?: number;
  /** Acts on a batch and then moves the checkpoint, in a transaction of its own or with its rows. What throws is tried again. */
  readonly take: (batch: Batch, moveCheckpoint: (db: ClientBase | Pool) => Promise<void>, at: Circumstances) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** As in `keepWorking`. */
  readonly longestPause?: number;
}

export interface Circumstances {
  /** There was nothing to do before this batch. */
  readonly rested: boolean;
  readonly signal: AbortSignal;
}

export interface Follower {
  /** Finishes the batch under way and gives the lease back. */
  stop(): Promise<void>;
}

export function startFollower({ reader, log, pool, owner, progress, batch: size = 500, take, onError, longestPause }: FollowerOptions): Follower {
  const stopping = new AbortController();
  const running = keepWorking({ pool, reader, owner, stopping: stopping.signal, prepare: () => register(pool, reader), work, onError, ...(longestPause !== undefined && { longestPause }) });

  async function work(from: Position, signal: AbortSignal, succeeded: () => void): Promise<void> {
    let stored = from;
    let rested = true;
    for await (const batch of log.subscribe(from, { ...(reader.prefixes && { prefixes: reader.prefixes }), batch: size, signal })) {
      if (signal.aborted) return;
      const at = stored;
      const moved = batch.position > stored;
      const moveCheckpoint = (db: ClientBase | Pool) => advance(db, reader, owner, at, batch.position);
      if (batch.events.length > 0) await take(batch, moveCheckpoint, { rested, signal });
      else if (moved) await moveCheckpoint(pool);
      stored = batch.position;
      rested = batch.caughtUp;
      succeeded();
      progress.reached(reader.name, batch);
      if (moved && batch.caughtUp && batch.events.length === 0) await sleep(IDLE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
