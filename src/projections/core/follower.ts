/**
 * Reads the log from a checkpoint on, under a lease: for read models, for policies that act on what happened, for
 * tables that need keys. Of all processes that run one, one works; a dead one's work is taken over.
 */
import type { ClientBase, Pool } from 'pg';
import type { Batch, Position } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { inBatch, type LeaseLost, type Reader } from './checkpoints.js';
import { keepWorking } from './leased.js';
import type { Parts } from './parts.js';
import { passingOf, type Passer, type Passing } from './passing.js';

export interface FollowerOptions extends Parts<'log' | 'pool' | 'progress' | 'onError'> {
  readonly reader: Reader & { readonly prefixes?: readonly string[] };
  /** This process. */
  readonly owner: LeaseHolder;
  /** Most events at once. */
  readonly batch?: number;
  /**
   * Acts on a batch. What throws is tried again; what commits nothing is passed by, and may come again after a crash.
   */
  readonly take: (batch: Batch, commit: Commit, at: Circumstances) => Promise<void>;
  /** As the log's readers may be. */
  readonly patient?: boolean;
  /** As in `keepWorking`. */
  readonly longestPause?: number;
}

/** Runs the work in the transaction that moves the checkpoint past the batch, as `inBatch` says. */
export type Commit = <T>(work: (db: ClientBase, leftOut: ReadonlySet<string>) => Promise<T>) => Promise<T>;

export interface Circumstances {
  /** There was nothing to do before this batch. */
  readonly rested: boolean;
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
  patient = false,
  onError,
  longestPause,
}: FollowerOptions) {
  const stopping = new AbortController();
  const running = keepWorking({
    pool,
    reader,
    owner,
    stopping: stopping.signal,
    work,
    onError,
    ...(longestPause !== undefined && { longestPause }),
  });

  async function work(from: Position, signal: AbortSignal, succeeded: () => void): Promise<void> {
    const lost = new AbortController();
    const mark = new Bookmark(from, { reader, pool, owner, onLost: (error) => lost.abort(error) });
    let rested = true;
    try {
      for await (const batch of log.subscribe(from, {
        ...(reader.prefixes && { prefixes: reader.prefixes }),
        batch: size,
        signal: AbortSignal.any([signal, lost.signal]),
        patient,
        isAwaited: () => progress.isAwaited(reader.name),
      })) {
        if (signal.aborted || lost.signal.aborted) break;
        if (batch.events.length > 0)
          await mark.move(batch.position, (commit) => take(batch, commit, { rested, signal }));
        else mark.pass(batch.position);
        rested = batch.caughtUp;
        succeeded();
        progress.reached(reader.name, batch);
      }
    } finally {
      await mark.close();
    }
    lost.signal.throwIfAborted();
  }

  return {
    /** Finishes the batch under way and gives the lease back. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/**
 * The stored position of a follower: moved with the work that it stands for, and some time behind events that were no
 * work.
 */
class Bookmark implements Passer {
  readonly reader: Reader;
  readonly onLost: (error: LeaseLost) => void;
  readonly #pool: Pool;
  readonly #owner: LeaseHolder;
  readonly #passing: Passing;
  stored: Position;
  passed: Position;

  constructor(
    from: Position,
    { reader, pool, owner, onLost }: Pick<FollowerOptions, 'pool' | 'owner'> & Pick<Passer, 'reader' | 'onLost'>,
  ) {
    this.stored = this.passed = from;
    this.reader = reader;
    this.onLost = onLost;
    this.#pool = pool;
    this.#owner = owner;
    this.#passing = passingOf(pool, owner);
  }

  /** Behind a batch: with what `work` commits, or like what passes by. */
  async move(to: Position, work: (commit: Commit) => Promise<void>): Promise<void> {
    await this.close();
    let moved = false;
    await work(async (commit) => {
      const result = await inBatch(this.#pool, this.#owner, { reader: this.reader, from: this.stored, to }, commit);
      moved = true;
      return result;
    });
    if (!moved) return this.pass(to);
    this.stored = this.passed = to;
  }

  pass(to: Position): void {
    this.passed = to;
    if (to > this.stored) this.#passing.add(this);
  }

  /** Nothing is stored behind its back until something passes again. */
  close(): Promise<void> {
    return this.#passing.leave(this);
  }
}
