/**
 * How far a reader may read without skipping an event (G2). Positions are handed out at insert and become visible at commit,
 * so `position > last` alone skips what commits late, and rolled-back appends leave holes for ever.
 *
 * A gapless run of positions is safe by itself: nobody else can hold a number inside it. At a gap we first give the append
 * under way a moment to commit; if the gap stays, the barrier decides: every append holds a shared lock from before it takes
 * numbers until it commits, so once we got the lock exclusively, each number handed out until then is visible or a hole.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** How long a gap may stay before the barrier is asked: longer than an ordinary commit. Correctness does not hang on it. */
const GRACE_MS = 15;

export class Horizon {
  readonly #pool: pg.Pool;
  #safe: bigint | undefined;
  #advancing: Promise<bigint> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Reads up to the answer miss nothing. Callers that come while it is being found share one question that begins after they came. */
  async advance(): Promise<bigint> {
    if (this.#advancing) await this.#advancing.catch(() => undefined);
    this.#advancing ??= this.#find().finally(() => (this.#advancing = undefined));
    return this.#advancing;
  }

  /** A gapless run that this process has seen committed: when it joins what is safe, nobody need be asked. */
  observe(first: bigint, last: bigint): void {
    if (this.#safe === first - 1n) this.#safe = last;
  }

  async #find(): Promise<bigint> {
    if (this.#safe === undefined) return (this.#safe = await this.#barrier());
    let gapSince: number | undefined;
    for (;;) {
      const { reached, seen } = await this.#run(this.#safe);
      if (reached > this.#safe) return (this.#safe = reached);
      if (seen <= this.#safe) return this.#safe;
      gapSince ??= Date.now();
      if (Date.now() - gapSince > GRACE_MS) return (this.#safe = await this.#barrier());
      await sleep(2);
    }
  }

  async #run(from: bigint): Promise<{ reached: bigint; seen: bigint }> {
    const { rows } = await this.#pool.query<{ reached: string; seen: string }>({ name: 'log-run', text: 'select reached, seen from log.run($1)', values: [from] });
    return { reached: BigInt(rows[0]!.reached), seen: BigInt(rows[0]!.seen) };
  }

  async #barrier(): Promise<bigint> {
    const { rows } = await this.#pool.query<{ barrier: string }>('select log.barrier() as barrier');
    return BigInt(rows[0]!.barrier);
  }
}
