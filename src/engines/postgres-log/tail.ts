/**
 * Holds the newest events that this process wrote, as one run without gaps. Readers that keep up read them from memory
 * instead of the database. Appends of other processes break the run; readers then use the database.
 */
import type { StoredEvent } from '../../events/core/log.js';
import { areaOf, isArea } from '../reading/area.js';

/**
 * Maximum number of events that are kept for a lagging reader: some 50 MB of scan events, outside the heap until they
 * are read.
 */
const MAX_EVENTS = 64_000n;
/** Number of events that are removed at a time. */
const STEP = 1_000n;

/** A reader that continues after `at`. */
export interface TailReader {
  at: bigint;
  /**
   * Whether the reader may read much later. It then gets removed events from the database: to keep the event objects
   * for it would cost more in garbage collection.
   */
  readonly background: boolean;
}

/** Consecutive events of one stream. */
export interface Run {
  readonly stream: string;
  /** Position of the first event. */
  readonly first: bigint;
  readonly length: number;
  /** Created on first access. */
  readonly events: readonly StoredEvent[];
}

export class Tail {
  readonly #readers = new Set<TailReader>();
  /** The kept runs, without gaps between them. */
  #runs: Run[] = [];
  /** Position of the first kept event, and the position after the last kept event. */
  #start = 0n;
  #end = 0n;
  /**
   * Position of the last event of each area (a stream's name up to its first hyphen). Most readers have no event in
   * most of the tail.
   */
  #last = new Map<string, bigint>();

  join(at: bigint, { background = false } = {}): TailReader {
    const reader = { at, background };
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: TailReader): void {
    this.#readers.delete(reader);
  }

  /** Adds a run. If it does not follow the kept runs, they are dropped. */
  add(run: Run): void {
    if (this.#end !== run.first) {
      this.#runs = [];
      this.#start = run.first;
    }
    this.#runs.push(run);
    this.#end = run.first + BigInt(run.length);
    this.#last.set(areaOf(run.stream), this.#end - 1n);
    this.letGo();
  }

  /**
   * Removes events that every reader has read, and events beyond the maximum. Background readers, and readers that lag
   * far behind, do not count.
   */
  letGo(): void {
    if (this.#end - this.#start < STEP) return;
    let needed = this.#end;
    for (const { at, background } of this.#readers)
      if (!background && at + 1n >= this.#start && at < needed) needed = at + 1n;
    if (needed < this.#end - MAX_EVENTS) needed = this.#end - MAX_EVENTS;
    if (needed - this.#start < STEP) return;
    this.#runs = this.#runs.slice(this.#holding(needed));
    this.#start = this.#runs[0]?.first ?? this.#end;
  }

  /**
   * Events in (from, to] of streams that begin with one of `prefixes`; undefined if the tail does not hold all of them.
   */
  between(from: bigint, to: bigint, prefixes: readonly string[] | undefined): readonly StoredEvent[] | undefined {
    if (from + 1n < this.#start || to >= this.#end) return undefined;
    const some = prefixes?.filter((prefix) => (isArea(prefix) ? (this.#last.get(prefix) ?? 0n) : to) > from);
    if (some?.length === 0) return [];
    const found: StoredEvent[] = [];
    for (let index = this.#holding(from + 1n); index < this.#runs.length && this.#runs[index]!.first <= to; index++) {
      const run = this.#runs[index]!;
      if (some && !some.some((prefix) => run.stream.startsWith(prefix))) continue;
      const [begin, end] = [Number(from + 1n - run.first), Number(to + 1n - run.first)];
      for (const event of begin <= 0 && end >= run.length ? run.events : run.events.slice(Math.max(begin, 0), end))
        found.push(event);
    }
    return found;
  }

  /** Index of the run that contains a position; the number of runs if the position is after all of them. */
  #holding(position: bigint): number {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { first, length } = this.#runs[middle]!;
      if (first + BigInt(length) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
