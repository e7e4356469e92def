/** Renews the leases of a process: one statement for all leases of a database, three times per lease duration. */
import type { Pool } from 'pg';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { renewLeases, type Reader } from './checkpoints.js';
import { perHolder } from './per-holder.js';

interface HeldLease {
  readonly reader: Reader;
  readonly onLost: () => void;
}

export class Heartbeat {
  readonly #pool: Pool;
  readonly #owner: LeaseHolder;
  /** Held leases by reader name. */
  readonly #held = new Map<string, HeldLease>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, owner: LeaseHolder) {
    this.#pool = pool;
    this.#owner = owner;
  }

  /**
   * Renews the lease until the returned function is called. Calls `onLost` if another process holds the lease, or if
   * the database does not respond.
   */
  hold(reader: Reader, onLost: () => void): () => void {
    const lease = { reader, onLost };
    this.#held.set(reader.name, lease);
    this.#timer ??= setInterval(() => void this.beat(), (this.#owner.seconds * 1_000) / 3);
    return () => {
      if (this.#held.get(reader.name) !== lease) return;
      this.#held.delete(reader.name);
      if (this.#held.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Renews all held leases now. */
  async beat(): Promise<void> {
    const leases = [...this.#held.values()];
    const outcomes = await renewLeases(this.#pool, this.#owner, leases).catch(() => undefined);
    for (const lease of leases) {
      const { name } = lease.reader;
      if ((outcomes?.get(name) ?? 'lost') === 'lost' && this.#held.get(name) === lease) lease.onLost();
    }
  }
}

/** The heartbeat of this process. */
export const heartbeatOf = perHolder((pool, owner) => new Heartbeat(pool, owner));
