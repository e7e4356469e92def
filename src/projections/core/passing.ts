/** Positions of followers that others' events pass by: those of a process are stored together, some time later. */
import type { Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { keepAll, LeaseLost, type Reader } from './checkpoints.js';
import { perHolder } from './per-holder.js';

/** How often a position is stored while others' events pass a follower by. */
const IDLE_MS = 100;

/** A follower as it stands between two batches. */
export interface Passer {
  readonly reader: Reader;
  /** As the database has it. */
  stored: Position;
  /** How far there was nothing to do. */
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

  /** `owner`: this process. */
  constructor(pool: Pool, owner: LeaseHolder) {
    this.#pool = pool;
    this.#owner = owner;
  }

  /** Stores the position of a follower soon, the one that it has by then. */
  add(passer: Passer): void {
    this.#passers.add(passer);
    this.#timer ??= setTimeout(
      () => (this.#storing = this.#store()),
      Math.max(0, this.#storedAt + IDLE_MS - Date.now()),
    );
  }

  /** From then on nothing is stored without the follower. */
  async leave(passer: Passer): Promise<void> {
    this.#passers.delete(passer);
    await this.#storing;
    this.#passers.delete(passer);
    if (this.#passers.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * What fails is tried again, except a position that is not ours any more: another process has it, or the database
   * lost it in a crash.
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
        passer.onLost(new LeaseLost(`${passer.reader.name} is not at ${passer.stored} under this process any more.`));
        continue;
      }
      if (outcome === 'kept') passer.stored = move.to;
      if (passer.passed > passer.stored) this.add(passer);
    }
  }
}

/** The one of this process. */
export const passingOf = perHolder((pool, owner) => new Passing(pool, owner));
