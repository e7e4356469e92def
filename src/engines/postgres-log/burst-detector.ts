/**
 * Detects bursts: most of the recent time, one call with appends followed the other without a pause. A short pause, for
 * example a garbage collection, does not end a burst. Appends that arrive one at a time are no burst, however long the
 * disk takes for each.
 */

export type Load = 'nothing' | 'one call' | 'one call behind the other';

/** A queue without a pause for this time is a burst. */
const HIGH_MS = 50;
/** Upper limit of the level, so that every burst ends 50 ms after its last append. */
const MAX_MS = 200;
/** Weight of each millisecond. A queue during three quarters of the time is a burst; a single call does not count. */
const WEIGHT: Readonly<Record<Load, number>> = { nothing: -3, 'one call': 0, 'one call behind the other': 1 };

export class BurstDetector {
  readonly #now: () => number;
  #level = 0;
  #at: number;
  #load: Load = 'nothing';

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /** Sets the load from now on. */
  set load(load: Load) {
    this.#settle();
    this.#load = load;
  }

  get isHigh(): boolean {
    this.#settle();
    return this.#level >= HIGH_MS;
  }

  #settle(): void {
    const now = this.#now();
    const passed = now - this.#at;
    this.#at = now;
    this.#level = Math.max(0, Math.min(MAX_MS, this.#level + WEIGHT[this.#load] * passed));
  }
}
