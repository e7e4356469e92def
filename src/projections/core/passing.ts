/**
 * Batches checkpoint updates of followers that had no matching events. All such updates of a process are stored
 * together, after a delay.
 */
import type { Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { keepAll, LeaseLost, type Reader } from './checkpoints.js';
import { perHolder } from './per-holder.js';

/** Minimum interval between two stored updates, in milliseconds. */
const IDLE_MS = 100;

/** The state of a follower between two batches. */
export interface Passer {
  readonly reader: Reader;
  /** The position in the database. */
  stored: Position;
  /** The follower has no work up to this position. */
  readonly passed: Position;
  readonly onLost: (error: LeaseLost) => void;
}

export class Passing {
  readonly #pool: Pool;
  readonly #owner: LeaseHolder;
  readonly #passers = new Set<Passer>();
  #timer: NodeJS.Timeout | undefined;
  #storedAt = 0;
  #storing: Promise<void> = Promise.resolve();

  /** `owner`: the lease holder of this process. */
  constructor(pool: Pool, owner: LeaseHolder) {
    this.#pool = pool;
    this.#owner = owner;
  }

  /**
   * Schedules an update of the follower's position. The update stores the position that the follower has at that time.
   */
  add(passer: Passer): void {
    this.#passers.add(passer);
    this.#timer ??= setTimeout(
      () => (this.#storing = this.#store()),
      Math.max(0, this.#storedAt + IDLE_MS - Date.now()),
    );
  }

  /** Removes the follower, and waits for an update in progress. Afterwards no delayed update changes its position. */
  async leave(passer: Passer): Promise<void> {
    this.#passers.delete(passer);
    await this.#storing;
    this.#passers.delete(passer);
    if (this.#passers.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Retries a failed update. Exception: this process has lost the position, because another process took it over or the
   * database lost it in a crash.
   */
  async #store(): Promise<void> {
    this.#timer = undefined;
    this.#storedAt = Date.now();
    const moves = [...this.#passers].map((passer) => ({
      passer,
      reader: passer.reader,
      move: { from: passer.stored, to: passer.passed },
    }));
    this.#passers.clear();
    const outcomes = await keepAll(this.#pool, this.#owner, moves).catch(() => undefined);
    for (const { passer, move } of moves) {
      const outcome = outcomes?.get(passer.reader.name);
      if (outcome === 'lost') {
        passer.onLost(
          new LeaseLost(`This process no longer holds ${passer.reader.name} at position ${passer.stored}.`),
        );
        continue;
      }
      if (outcome === 'kept') passer.stored = move.to;
      if (passer.passed > passer.stored) this.add(passer);
    }
  }
}

/** The instance of this process. */
export const passingOf = perHolder((pool, owner) => new Passing(pool, owner));
