/** Folds the log from its start into tables of their own, next to the live read model. */
import type { ClientBase, Pool } from 'pg';
import { START, type Batch, type Position, type StoredEvent } from '../../events/core/log.js';
import { foldSafely, type Target } from '../core/fold.js';
import type { Parts } from '../core/parts.js';
import type { Projection, Quarantined } from '../core/projection.js';
import { inSavepoint, inTransaction } from '../core/transaction.js';

export interface ReplayOptions extends Parts<'log' | 'types'> {
  /** Without a statement time-out: comparing takes as long as it takes. */
  readonly pool: Pool;
  /** Events in a batch. */
  readonly batch?: number;
  /** Ends the work early, with its reason as the error. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number, position: Position) => void;
}

export class Replay {
  events = 0;
  /** Streams that the fold could not take, with the reason. */
  readonly quarantined = new Map<string, Quarantined>();
  readonly #target: Target;
  readonly #options: ReplayOptions;
  #position: Position = START;

  constructor(projection: Projection, schema: string, options: ReplayOptions) {
    this.#target = { projection, schema, types: options.types };
    this.#options = options;
  }

  /** Folds everything up to and with `target`, in transactions of its own or within that of `db`. */
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
        if (done) throw new Error('The log ended early.');
        // The next batch is read while this one is folded and saved.
        if (batch.position < target) next = batches.next();
        next.catch(() => undefined); // it is seen when it is waited for
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
