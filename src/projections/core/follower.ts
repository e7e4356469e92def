/**
 * Reads the log from a checkpoint, under a lease: for read models, for policies that react to events, and for tables
 * that need keys. Of all processes that run a follower, one holds the lease and works. If it dies, another process
 * takes over.
 */
import type { ClientBase, Pool } from 'pg';
import type { Batch, Position } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { inBatch, type LeaseLost, type Reader } from './checkpoints.js';
import { workUnderLease } from './work-under-lease.js';
import type { Parts } from './parts.js';
import { batcherOf, type IdleFollower, type CheckpointBatcher } from './checkpoint-batcher.js';

export interface FollowerOptions extends Parts<'log' | 'pool' | 'progress' | 'onError'> {
  readonly reader: Reader & { readonly prefixes?: readonly string[] };
  /** The lease holder of this process. */
  readonly owner: LeaseHolder;
  /** Maximum number of events in a batch. */
  readonly batch?: number;
  /**
   * Handles a batch. An error leads to a retry. A batch that commits nothing is skipped, and may be delivered again
   * after a crash.
   */
  readonly take: (batch: Batch, commit: Commit, at: BatchInfo) => Promise<void>;
  /** Runs next to reading, while this process holds the lease: until the signal aborts. Does not throw. */
  readonly alongside?: (signal: AbortSignal) => Promise<void>;
  /** See `background` in the options of `EventLog.subscribe`. */
  readonly background?: boolean;
  /** See `maxPause` in work-under-lease.ts. */
  readonly maxPause?: number;
}

/** Runs the work in the transaction that moves the checkpoint past the batch (see `inBatch`). */
export type Commit = <T>(work: (db: ClientBase, skippedStreams: ReadonlySet<string>) => Promise<T>) => Promise<T>;

export interface BatchInfo {
  /** The follower had no work before this batch. */
  readonly wasIdle: boolean;
  readonly signal: AbortSignal;
}

export type Follower = ReturnType<typeof startFollower>;

export function startFollower({
  reader,
  log,
  pool,
  owner,
  progress,
  batch: size = 500,
  take,
  alongside,
  background = false,
  onError,
  maxPause,
}: FollowerOptions) {
  const stopping = new AbortController();
  const running = workUnderLease({
    pool,
    reader,
    owner,
    stopping: stopping.signal,
    work,
    onError,
    ...(maxPause !== undefined && { maxPause }),
  });

  async function work(from: Position, signal: AbortSignal, succeeded: () => void): Promise<void> {
    const leaseLost = new AbortController();
    const checkpoint = new CheckpointPosition(from, { reader, pool, owner, onLost: (error) => leaseLost.abort(error) });
    let wasIdle = true;
    const ended = new AbortController();
    const held = AbortSignal.any([signal, leaseLost.signal, ended.signal]);
    const other = alongside?.(held);
    try {
      for await (const batch of log.subscribe(from, {
        ...(reader.prefixes && { prefixes: reader.prefixes }),
        batch: size,
        signal: AbortSignal.any([signal, leaseLost.signal]),
        background,
        isAwaited: () => progress.isAwaited(reader.name),
      })) {
        if (signal.aborted || leaseLost.signal.aborted) break;
        if (batch.events.length > 0)
          await checkpoint.move(batch.position, (commit) => take(batch, commit, { wasIdle, signal }));
        else checkpoint.pass(batch.position);
        wasIdle = batch.caughtUp;
        succeeded();
        progress.reached(reader.name, batch);
      }
    } finally {
      ended.abort();
      await other;
      await checkpoint.close();
    }
    leaseLost.signal.throwIfAborted();
  }

  return {
    /** Finishes the current batch and releases the lease. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/**
 * The stored position of a follower. It moves in the transaction of the work, or, with a delay, past events that need
 * no work.
 */
class CheckpointPosition implements IdleFollower {
  readonly reader: Reader;
  readonly onLost: (error: LeaseLost) => void;
  readonly #pool: Pool;
  readonly #owner: LeaseHolder;
  readonly #batcher: CheckpointBatcher;
  stored: Position;
  idlePosition: Position;

  constructor(
    from: Position,
    { reader, pool, owner, onLost }: Pick<FollowerOptions, 'pool' | 'owner'> & Pick<IdleFollower, 'reader' | 'onLost'>,
  ) {
    this.stored = this.idlePosition = from;
    this.reader = reader;
    this.onLost = onLost;
    this.#pool = pool;
    this.#owner = owner;
    this.#batcher = batcherOf(pool, owner);
  }

  /** Moves past a batch: in the transaction that `work` commits, or with a delay if `work` commits nothing. */
  async move(to: Position, work: (commit: Commit) => Promise<void>): Promise<void> {
    await this.close();
    let moved = false;
    await work(async (commit) => {
      const result = await inBatch(this.#pool, this.#owner, { reader: this.reader, from: this.stored, to }, commit);
      moved = true;
      return result;
    });
    if (!moved) return this.pass(to);
    this.stored = this.idlePosition = to;
  }

  pass(to: Position): void {
    this.idlePosition = to;
    if (to > this.stored) this.#batcher.add(this);
  }

  /** Until the next call of `pass`, no delayed update of this position is stored. */
  close(): Promise<void> {
    return this.#batcher.leave(this);
  }
}
