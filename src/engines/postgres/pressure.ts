/**
 * Whether what comes in is a burst: appends have stood in line for most of the time lately. A moment without any, as a garbage collection
 * makes it, does not end a burst, and appends that come one by one are none.
 */

/** In line for so long, without a pause, is a burst. */
const HIGH_MS = 50;
/** No more is remembered: a burst is over this long, divided by `RELIEF`, after its last append. */
const MOST_MS = 200;
/** Time without a line counts so many times: three quarters of the time in line are a burst. */
const RELIEF = 3;

export class Pressure {
  readonly #now: () => number;
  #level = 0;
  #at: number;
  #rising = false;

  /** `now`: milliseconds of a clock that only goes on. */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /** From now on something stands in line, or nothing does. */
  set rising(rising: boolean) {
    this.#settle();
    this.#rising = rising;
  }

  get isHigh(): boolean {
    this.#settle();
    return this.#level >= HIGH_MS;
  }

  #settle(): void {
    const now = this.#now();
    const passed = now - this.#at;
    this.#at = now;
    this.#level = Math.max(0, Math.min(MOST_MS, this.#level + (this.#rising ? passed : -RELIEF * passed)));
  }
}
