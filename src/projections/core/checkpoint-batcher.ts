/**
 * Batches checkpoint updates of followers that had no matching events. All such updates of a process are stored
 * together, after a delay.
 */
import type { Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { renewLeases, LeaseLost, type Reader } from './checkpoints.js';
import { perHolder } from './per-holder.js';

/** Minimum interval between two stored updates, in milliseconds. */
const IDLE_MS = 100;

/** The state of a follower between two batches. */
export interface IdleFollower {
  readonly reader: Reader;
  /** The position in the database. */
  stored: Position;
  /** The follower has no work up to this position. */
  readonly idlePosition: Position;
  readonly onLost: (error: LeaseLost) => void;
}

export class CheckpointBatcher {
  readonly #pool: Pool;
  readonly #owner: LeaseHolder;
  readonly #followers = new Set<IdleFollower>();
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
  add(follower: IdleFollower): void {
    this.#followers.add(follower);
    this.#timer ??= setTimeout(
      () => (this.#storing = this.#store()),
      Math.max(0, this.#storedAt + IDLE_MS - Date.now()),
    );
  }

  /** Removes the follower, and waits for an update in progress. Afterwards no delayed update changes its position. */
  async leave(follower: IdleFollower): Promise<void> {
    this.#followers.delete(follower);
    await this.#storing;
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
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
    const moves = [...this.#followers].map((follower) => ({
      follower,
      reader: follower.reader,
      move: { from: follower.stored, to: follower.idlePosition },
    }));
    this.#followers.clear();
    const outcomes = await renewLeases(this.#pool, this.#owner, moves).catch(() => undefined);
    for (const { follower, move } of moves) {
      const outcome = outcomes?.get(follower.reader.name);
      if (outcome === 'lost') {
        follower.onLost(
          new LeaseLost(`This process no longer holds ${follower.reader.name} at position ${follower.stored}.`),
        );
        continue;
      }
      if (outcome === 'kept') follower.stored = move.to;
      if (follower.idlePosition > follower.stored) this.add(follower);
    }
  }
}

/** The instance of this process. */
export const batcherOf = perHolder((pool, owner) => new CheckpointBatcher(pool, owner));
