/**
 * Whether what comes in is a burst: for most of the time lately one call with appends followed the other. A moment
 * without any, as a garbage collection makes it, does not end a burst; appends that come one by one are none, however
 * long the disk takes for one of them.
 */

export type Load = 'nothing' | 'one call' | 'one call behind the other';

/** A queue for this long, without a pause, is a burst. */
const HIGH_MS = 50;
/** No more is remembered: however long it was, a burst is over 50 ms after its last append. */
const MOST_MS = 200;
/**
 * By how much a millisecond counts: a queue for three quarters of the time is a burst, and one call alone says nothing.
 */
const WEIGHT: Readonly<Record<Load, number>> = { nothing: -3, 'one call': 0, 'one call behind the other': 1 };

export class Pressure {
  readonly #now: () => number;
  #level = 0;
  #at: number;
  #load: Load = 'nothing';

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /** What is being written from now on. */
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
    this.#level = Math.max(0, Math.min(MOST_MS, this.#level + WEIGHT[this.#load] * passed));
  }
}
