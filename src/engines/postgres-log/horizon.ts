/**
 * How far a reader may read without skipping an event (G2). Positions are handed out at insert and become visible at
 * commit, so `position > last` alone skips what commits late, and rolled-back appends leave holes for ever.
 *
 * A gapless run of positions is safe on its own: nobody else can hold a number inside it. At a gap we first give the
 * append under way a moment to commit; if the gap stays, the barrier decides: every append holds a shared lock from
 * before it takes numbers until it commits, so once we got the lock exclusively, each number handed out until then is
 * visible or a hole.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * How long a gap may stay before the barrier is asked: longer than an ordinary commit. Correctness does not hang on it.
 */
const GRACE_MS = 15;

export interface Reach {
  /** Reads up to here miss nothing. */
  readonly safe: bigint;
  /** Committed events are already after it, past a gap: ask again. */
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

  /** How far one may read at least; undefined: nobody asked yet. */
  get safe(): bigint | undefined {
    return this.#safe;
  }

  /**
   * How far one may read now. Callers that come while it is being found share one question that begins after they came.
   */
  async advance(): Promise<Reach> {
    if (this.#advancing) await this.#advancing.catch(() => undefined);
    this.#advancing ??= this.#find().finally(() => (this.#advancing = undefined));
    return this.#advancing;
  }

  /** A gapless run that this process has seen committed: when it joins what is safe, nobody need be asked. */
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
