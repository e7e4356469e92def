/** The positions of the projections that this process knows, and waiting for a position (G6). */
import type { Pool } from 'pg';
import type { Batch, EventLog, Position } from '../../events/core/log.js';
import { checkpoints } from './checkpoints.js';

const POLL_MS = 20;

interface Waiter {
  readonly name: string;
  readonly position: Position;
  readonly done: (reached: boolean) => void;
}

export class Progress {
  readonly #pool: Pool;
  readonly #log: Pick<EventLog, 'wakeAwaited'> | undefined;
  readonly #known = new Map<string, Position>();
  /** Positions of the latest events of this process that concern a projection. */
  readonly #written = new Map<string, Position>();
  readonly #waiters = new Set<Waiter>();
  /** One list per call of `expect`. */
  readonly #expected = new Set<readonly string[]>();
  readonly #listeners = new Set<(name: string, batch: Batch) => void>();
  #polling = false;

  /** `log` is notified when a caller waits for a position. */
  constructor(pool: Pool, log?: Pick<EventLog, 'wakeAwaited'>) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Called when a projection of this process has processed a batch. */
  reached(name: string, batch: Batch): void {
    this.#update(name, batch.position);
    for (const listener of this.#listeners) listener(name, batch);
  }

  /**
   * Calls `listener` for every batch that a projection of this process processes. Returns a function that removes the
   * listener.
   */
  onBatch(listener: (name: string, batch: Batch) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notes that this process has appended events that concern the projection. */
  noteWritten(name: string, position: Position): void {
    if (position > (this.#written.get(name) ?? '')) this.#written.set(name, position);
  }

  /** The position of the latest event that `noteWritten` reported; undefined if there is none. */
  written(name: string): Position | undefined {
    return this.#written.get(name);
  }

  /** Whether the projection is known to have processed all events up to `position`. */
  has(name: string, position: Position): boolean {
    return (this.#known.get(name) ?? '') >= position;
  }

  /**
   * Returns true when the projection has processed all events up to `position`, or false after `timeout` milliseconds.
   */
  async waitFor(name: string, position: Position, timeout: number): Promise<boolean> {
    if (this.has(name, position)) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.done(false), timeout);
      const waiter: Waiter = {
        name,
        position,
        done: (reached) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      this.#waiters.add(waiter);
      this.#log?.wakeAwaited();
      void this.#poll();
    });
  }

  /**
   * Announces that a caller will wait for these projections when its write is done. The projections then process events
   * without a delay. Returns a function that ends this.
   */
  expect(names: readonly string[]): () => void {
    const own = [...names];
    this.#expected.add(own);
    return () => this.#expected.delete(own);
  }

  /** Whether a caller in this process waits for the projection, or has announced that it will. */
  isAwaited(name: string): boolean {
    for (const names of this.#expected) if (names.includes(name)) return true;
    for (const waiter of this.#waiters) if (waiter.name === name) return true;
    return false;
  }

  #update(name: string, position: Position): void {
    if (position <= (this.#known.get(name) ?? '')) return;
    this.#known.set(name, position);
    for (const waiter of this.#waiters) if (waiter.name === name && position >= waiter.position) waiter.done(true);
  }

  /** Polls the stored positions while a caller waits, because the projection may run in another process. */
  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    while (this.#waiters.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if (this.#waiters.size === 0) break;
      for (const { name, position } of await checkpoints(this.#pool).catch(() => [])) this.#update(name, position);
    }
    this.#polling = false;
  }
}
