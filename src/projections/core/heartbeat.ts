/**
 * Keeps the leases of a process alive: all those in one database in one statement, three times in the life of a lease.
 */
import type { Pool } from 'pg';
import { LEASE_SECONDS, renewAll } from './checkpoints.js';

const INTERVAL_MS = (LEASE_SECONDS * 1_000) / 3;

const heartbeats = new WeakMap<Pool, Map<string, Heartbeat>>();

/** The one of this process, whose UUID is `owner`. */
export function heartbeatOf(pool: Pool, owner: string): Heartbeat {
  const ofPool = heartbeats.get(pool) ?? new Map<string, Heartbeat>();
  heartbeats.set(pool, ofPool);
  const heartbeat = ofPool.get(owner) ?? new Heartbeat(pool, owner);
  ofPool.set(owner, heartbeat);
  return heartbeat;
}

export class Heartbeat {
  readonly #pool: Pool;
  readonly #owner: string;
  /** By the name of what is leased: what to do when it is lost. */
  readonly #held = new Map<string, () => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, owner: string) {
    this.#pool = pool;
    this.#owner = owner;
  }

  /**
   * Renews the lease until the function that is returned is called; `onLost`: somebody else has it, or the database
   * says nothing.
   */
  hold(name: string, onLost: () => void): () => void {
    this.#held.set(name, onLost);
    this.#timer ??= setInterval(() => void this.beat(), INTERVAL_MS);
    return () => {
      if (this.#held.get(name) !== onLost) return;
      this.#held.delete(name);
      if (this.#held.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Renews everything that is held, now. */
  async beat(): Promise<void> {
    const asked = [...this.#held];
    const ours = await renewAll(
      this.#pool,
      this.#owner,
      asked.map(([name]) => name),
    ).catch(() => new Set<string>());
    for (const [name, onLost] of asked) if (!ours.has(name) && this.#held.get(name) === onLost) onLost();
  }
}
