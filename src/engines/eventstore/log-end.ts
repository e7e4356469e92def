/**
 * Records the end of the log at the start of an append. If the response has an earlier position, the event already
 * existed and the append was a repetition.
 */
import type { Position } from '../../events/core/log.js';

/** Attempts within this time count as simultaneous. One read of the log's end serves all appends of that time. */
const MOMENT_MS = 50;

export class LogEnd {
  readonly #look: () => Promise<Position>;
  readonly #now: () => number;
  /** Highest position that this process has seen. */
  #seen: Position = '';
  #looked: { readonly at: number; readonly end: Promise<Position> } | undefined;
  #looking = false;

  /** `look` reads the position of the log's end. `now`: milliseconds of a monotonic clock. */
  constructor(look: () => Promise<Position>, now = (): number => performance.now()) {
    this.#look = look;
    this.#now = now;
  }

  /** Records the position of an append of this process. */
  saw(position: Position): void {
    if (position > this.#seen) this.#seen = position;
  }

  /** Returns the end of the log. Appends of other processes may be missing for up to `MOMENT_MS`. */
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
    // After a failed read, the next call reads again.
    end.catch(() => {
      if (this.#looked === looked) this.#looked = undefined;
    });
  }
}
