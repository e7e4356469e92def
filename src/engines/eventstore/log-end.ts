/** Where the log ended when an append began: an event in its answer with an earlier position was there already. */
import type { Position } from '../../events/core/log.js';

/** Two attempts within this time are at the same moment. One look at the log serves all appends of that time. */
const MOMENT_MS = 50;

export class LogEnd {
  readonly #look: () => Promise<Position>;
  readonly #now: () => number;
  /** As far as this process has seen it go. */
  #seen: Position = '';
  #looked: { readonly at: number; readonly end: Promise<Position> } | undefined;
  #looking = false;

  /** `look` asks where the log ends. `now`: milliseconds of a monotonic clock. */
  constructor(look: () => Promise<Position>, now = (): number => performance.now()) {
    this.#look = look;
    this.#now = now;
  }

  /** An append of this process is at this position. */
  saw(position: Position): void {
    if (position > this.#seen) this.#seen = position;
  }

  /** Where the log ends now, or ended a moment ago as far as others write it. */
  async now(): Promise<Position> {
    const seen = this.#seen;
    if (!this.#looked || (!this.#looking && this.#now() - this.#looked.at > MOMENT_MS)) this.#lookAgain();
    const end = await this.#looked!.end;
    return seen > end ? seen : end;
  }

  #lookAgain(): void {
    this.#looking = true;
    const end = this.#look().finally(() => (this.#looking = false));
    const looked = { at: this.#now(), end };
    this.#looked = looked;
    // What failed is asked again by the next one.
    end.catch(() => {
      if (this.#looked === looked) this.#looked = undefined;
    });
  }
}
