/**
 * The end of the log as this process wrote it: one gapless run of events, so that a reader who keeps up need not fetch from the
 * database what was appended next door. Appends of other processes break the run; readers then ask the database as always.
 */
import type { StoredEvent } from '../../events/log.js';

const MOST = 4_000;

export class Tail {
  #events: StoredEvent[] = [];
  /** Position of the first event of the run. */
  #start = 0n;

  /** Adds a gapless run that begins at `first`; drops what does not join it. */
  add(first: bigint, events: readonly StoredEvent[]): void {
    if (this.#start + BigInt(this.#events.length) !== first) {
      this.#events = [];
      this.#start = first;
    }
    for (const event of events) this.#events.push(event);
    if (this.#events.length > 2 * MOST) {
      this.#start += BigInt(this.#events.length - MOST);
      this.#events = this.#events.slice(-MOST);
    }
  }

  /** All events in (from, to], or undefined where the run does not hold them all. */
  between(from: bigint, to: bigint): readonly StoredEvent[] | undefined {
    const skip = Number(from + 1n - this.#start);
    const end = Number(to + 1n - this.#start);
    return skip >= 0 && end <= this.#events.length ? this.#events.slice(skip, end) : undefined;
  }
}
