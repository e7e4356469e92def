/**
 * Reads the log from a checkpoint on, under a lease: for read models, for policies that act on what happened, for tables that need
 * keys. Of all processes that run one, one works; a dead one's work is taken over.
 */
import type { ClientBase, Pool } from 'pg';
import type { Batch, EventLog, Position } from '../events/log.js';
import { advance, LeaseLost, register, type Reader } from './checkpoints.js';
import { keepWorking } from './leased.js';
import type { Progress } from './progress.js';

/** How often a position is stored while others' events pass a follower by. */
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
    const lost = new AbortController();
    const mark = new Bookmark(from, (at, to, db = pool) => advance(db, reader, owner, at, to), (error) => lost.abort(error));
    let rested = true;
    try {
      for await (const batch of log.subscribe(from, { ...(reader.prefixes && { prefixes: reader.prefixes }), batch: size, signal: AbortSignal.any([signal, lost.signal]) })) {
        if (signal.aborted || lost.signal.aborted) break;
        if (batch.events.length > 0) await mark.move(batch.position, (moveCheckpoint) => take(batch, moveCheckpoint, { rested, signal }));
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
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** The stored position of a follower: moved with the work that it stands for, and some time behind events that were no work. */
class Bookmark {
  #stored: Position;
  #passed: Position;
  #storedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  readonly #advance: (at: Position, to: Position, db?: ClientBase | Pool) => Promise<void>;
  readonly #onLost: (error: LeaseLost) => void;

  constructor(from: Position, advance: (at: Position, to: Position, db?: ClientBase | Pool) => Promise<void>, onLost: (error: LeaseLost) => void) {
    this.#stored = this.#passed = from;
    this.#advance = advance;
    this.#onLost = onLost;
  }

  /** `work` moves it by the function that it is given, at the end or within its transaction. */
  async move(to: Position, work: (moveCheckpoint: (db: ClientBase | Pool) => Promise<void>) => Promise<void>): Promise<void> {
    await this.close();
    const at = this.#stored;
    await work((db) => this.#advance(at, to, db));
    this.#stored = this.#passed = to;
  }

  pass(to: Position): void {
    this.#passed = to;
    if (to > this.#stored) this.#timer ??= setTimeout(() => (this.#storing = this.#store()), Math.max(0, this.#storedAt + IDLE_MS - Date.now()));
  }

  /** What fails is tried again, but for a position that is not ours any more: another process has it, or the database lost it in a crash. */
  async #store(): Promise<void> {
    this.#timer = undefined;
    this.#storedAt = Date.now();
    const to = this.#passed;
    try {
      await this.#advance(this.#stored, to);
      this.#stored = to;
    } catch (error) {
      if (error instanceof LeaseLost) return this.#onLost(error);
    }
    this.pass(this.#passed);
  }

  /** Nothing is stored behind its back until something passes again. */
  async close(): Promise<void> {
    this.#cancel();
    await this.#storing;
    this.#cancel();
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
