/**
 * Records the end of the log at the start of an append. If the response has an earlier position, the event already
 * existed and the append was a repetition.
 */
import type { Position } from '../../events/core/log.js';

/** Attempts within this time count as simultaneous. One read of the log's end serves all appends of that time. */
const MAX_READ_AGE_MS = 50;

export class LogEnd {
  readonly #readEnd: () => Promise<Position>;
  readonly #now: () => number;
  /** Highest position that this process has seen. */
  #seen: Position = '';
  #lastRead: { readonly at: number; readonly end: Promise<Position> } | undefined;
  #isReading = false;

  /** `look` reads the position of the log's end. `now`: milliseconds of a monotonic clock. */
  constructor(readEnd: () => Promise<Position>, now = (): number => performance.now()) {
    this.#readEnd = readEnd;
    this.#now = now;
  }

  /** Records the position of an append of this process. */
  observe(position: Position): void {
    if (position > this.#seen) this.#seen = position;
  }

  /** Returns the end of the log. Appends of other processes may be missing for up to `MAX_READ_AGE_MS`. */
  async now(): Promise<Position> {
    const seen = this.#seen;
    if (!this.#lastRead || (!this.#isReading && this.#now() - this.#lastRead.at > MAX_READ_AGE_MS)) this.#startRead();
    const end = await this.#lastRead!.end;
    return seen > end ? seen : end;
  }

  #startRead(): void {
    this.#isReading = true;
    const end = this.#readEnd().finally(() => (this.#isReading = false));
    const read = { at: this.#now(), end };
    this.#lastRead = read;
    // After a failed read, the next call reads again.
    end.catch(() => {
      if (this.#lastRead === read) this.#lastRead = undefined;
    });
  }
}
