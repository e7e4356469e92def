/**
 * Determines the position up to which a reader can read without skipping an event (G2). Positions are assigned at
 * insert and become visible at commit. A query for `position > last` alone would skip events that commit late.
 * Rolled-back appends leave permanent gaps.
 *
 * A run of positions without gaps is safe: no other append can hold a number inside it. At a gap, the reader first
 * gives the running append a moment to commit. If the gap stays, the barrier decides. Every append holds a shared lock
 * from before it takes positions until it commits. After the exclusive lock was acquired, each position assigned before
 * is either visible or a permanent gap.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Time that a gap may stay before the barrier is used: longer than an ordinary commit. Correctness does not depend on
 * it.
 */
const GRACE_MS = 15;

export interface Reach {
  /** Reads up to this position miss no events. */
  readonly safe: bigint;
  /** Whether committed events exist after it, past a gap, so that another call is needed. */
  readonly more: boolean;
}

export class Horizon {
  readonly #pool: pg.Pool;
  #safe: bigint | undefined;
  #gapSince: number | undefined;
  #advancing: Promise<Reach> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** The position that is known to be safe; undefined before the first `advance`. */
  get safe(): bigint | undefined {
    return this.#safe;
  }

  /** Returns the current safe position. Concurrent callers share one query, which starts after they called. */
  async advance(): Promise<Reach> {
    if (this.#advancing) await this.#advancing.catch(() => undefined);
    this.#advancing ??= this.#find().finally(() => (this.#advancing = undefined));
    return this.#advancing;
  }

  /**
   * Records a run without gaps that this process has seen committed. If it follows the safe position, no query is
   * needed.
   */
  observe(first: bigint, last: bigint): void {
    if (this.#safe === first - 1n) this.#safe = last;
  }

  async #find(): Promise<Reach> {
    if (this.#safe === undefined) return { safe: (this.#safe = await this.#barrier()), more: false };
    for (;;) {
      const { reached, seen } = await this.#run(this.#safe);
      if (reached > this.#safe) {
        this.#safe = reached;
        this.#gapSince = undefined;
        return { safe: reached, more: seen > reached };
      }
      if (seen <= this.#safe) return { safe: this.#safe, more: false };
      this.#gapSince ??= Date.now();
      if (Date.now() - this.#gapSince > GRACE_MS) {
        this.#gapSince = undefined;
        return { safe: (this.#safe = await this.#barrier()), more: false };
      }
      await sleep(2);
    }
  }

  async #run(from: bigint): Promise<{ reached: bigint; seen: bigint }> {
    const { rows } = await this.#pool.query<{ reached: string; seen: string }>({
      name: 'log-run',
      text: 'select reached, seen from log.run($1)',
      values: [from],
    });
    return { reached: BigInt(rows[0]!.reached), seen: BigInt(rows[0]!.seen) };
  }

  async #barrier(): Promise<bigint> {
    const { rows } = await this.#pool.query<{ barrier: string }>('select log.barrier() as barrier');
    return BigInt(rows[0]!.barrier);
  }
}
