/**
 * Holds the newest events of the log for all followers of this process, so that each event is decoded once. The number
 * of events is limited; a follower that is further behind reads with a separate feed.
 */
import type { Position, StoredEvent } from '../../events/core/log.js';
import { areaOf, isArea } from '../reading/area.js';
import type { StreamFilter } from './filter.js';

const MAX_EVENTS = 4_096;
/** Maximum number of JSON characters; the rest of an event is small. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Number of events that are removed at a time. */
const STEP = 256;

/** An event that cannot be decoded. It stops only the followers that read its stream. */
export interface Undecoded {
  readonly stream: string;
  readonly position: Position;
  readonly error: unknown;
}

export type Entry = StoredEvent | Undecoded;

export interface Found {
  readonly events: readonly StoredEvent[];
  /** `events` are all matching events up to this position. */
  readonly position: Position;
}

export class Tail {
  #entries: Entry[] = [];
  #characters = 0;
  /** The tail holds all events after `#from`, up to `#to`. */
  #from: Position;
  #to: Position;
  /** Position of the last event of each area. Most followers have no event in most of the tail. */
  readonly #last = new Map<string, Position>();

  constructor(at: Position) {
    this.#from = this.#to = at;
  }

  get to(): Position {
    return this.#to;
  }

  /** Whether the tail holds, or will receive, all events after a position. */
  holds(position: Position): boolean {
    return position >= this.#from;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#characters += charactersOf(entry);
    this.#to = entry.position;
    this.#last.set(areaOf(entry.stream), entry.position);
    while (this.#entries.length >= MAX_EVENTS + STEP || (this.#characters > MAX_CHARACTERS && this.#entries.length > 1))
      this.#letGo();
  }

  /** Records that the log has no more events up to a position. */
  pass(position: Position): void {
    if (position > this.#to) this.#to = position;
  }

  /**
   * Returns at most `limit` events after a position that the tail holds. If the next event cannot be decoded, throws
   * its error.
   */
  eventsAfter(position: Position, { prefixes, matches }: StreamFilter, limit: number): Found {
    const end = position > this.#to ? position : this.#to;
    if (prefixes?.every((prefix) => isArea(prefix) && (this.#last.get(prefix) ?? '') <= position))
      return { events: [], position: end };
    const events: StoredEvent[] = [];
    for (let index = this.#firstBehind(position); index < this.#entries.length; index++) {
      const entry = this.#entries[index]!;
      if (!matches(entry.stream)) continue;
      if ('error' in entry) {
        if (events.length === 0) throw entry.error;
        return { events, position: events.at(-1)!.position };
      }
      events.push(entry);
      if (events.length === limit) return { events, position: entry.position };
    }
    return { events, position: end };
  }

  #letGo(): void {
    const gone = this.#entries.slice(0, Math.min(STEP, this.#entries.length - 1));
    this.#entries = this.#entries.slice(gone.length);
    for (const entry of gone) this.#characters -= charactersOf(entry);
    this.#from = gone.at(-1)!.position;
  }

  #firstBehind(position: Position): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.position > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const charactersOf = (entry: Entry): number => ('json' in entry ? (entry.json?.length ?? 0) : 0);
