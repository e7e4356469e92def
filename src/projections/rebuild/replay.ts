/** Folds the log from its start into separate tables next to the live read model. */
import type { ClientBase, Pool } from 'pg';
import { START, type Batch, type Position, type StoredEvent } from '../../events/core/log.js';
import { foldSafely, type Target } from '../core/fold.js';
import type { Parts } from '../core/parts.js';
import type { Projection, Quarantined } from '../core/projection.js';
import { inSavepoint, inTransaction } from '../core/transaction.js';

export interface ReplayOptions extends Parts<'log' | 'types'> {
  /** A pool without statement timeout, because a comparison may take long. */
  readonly pool: Pool;
  /** Number of events in a batch. */
  readonly batch?: number;
  /** Aborts the work; its reason becomes the error. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number, position: Position) => void;
}

export class Replay {
  events = 0;
  /** Streams that could not be folded, with the reason. */
  readonly quarantined = new Map<string, Quarantined>();
  readonly #target: Target;
  readonly #options: ReplayOptions;
  #position: Position = START;

  constructor(projection: Projection, schema: string, options: ReplayOptions) {
    this.#target = { projection, schema, types: options.types };
    this.#options = options;
  }

  /**
   * Folds all events up to and including `target`. Uses the transaction of `db`, or separate transactions without it.
   */
  async to(target: Position, db?: ClientBase): Promise<void> {
    if (this.#position >= target) return;
    const { log, batch: size = 5_000, signal, onProgress } = this.#options;
    const stop = new AbortController();
    const { prefixes } = this.#target.projection;
    const batches = log
      .subscribe(this.#position, { ...(prefixes && { prefixes }), batch: size, signal: stop.signal })
      [Symbol.asyncIterator]();
    let next = batches.next();
    try {
      while (this.#position < target) {
        const { value: batch, done } = await next;
        signal?.throwIfAborted();
        if (done) throw new Error('The log ended before the expected position.');
        // Reads the next batch while this one is folded and saved.
        if (batch.position < target) next = batches.next();
        next.catch(() => undefined); // the error is thrown at the next `await`
        const events = this.#wanted(batch, target);
        await this.#fold(events, db);
        this.events += events.length;
        this.#position = batch.position < target ? batch.position : target;
        onProgress?.(this.events, this.#position);
      }
    } finally {
      stop.abort();
      await batches.return?.();
    }
  }

  #wanted({ events, position: last }: Batch, target: Position): readonly StoredEvent[] {
    const due = last <= target ? events : events.filter(({ position }) => position <= target);
    return this.quarantined.size === 0 ? due : due.filter(({ stream }) => !this.quarantined.has(stream));
  }

  async #fold(events: readonly StoredEvent[], db: ClientBase | undefined): Promise<void> {
    const bad = await foldSafely((fold) =>
      db
        ? inSavepoint(db, () => fold(db, this.#target, events))
        : inTransaction(this.#options.pool, (own) => fold(own, this.#target, events)),
    );
    for (const one of bad) this.quarantined.set(one.stream, one);
  }
}
