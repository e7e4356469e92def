/**
 * The end of the log as this process wrote it: one gapless run of events, so that a reader who keeps up need not fetch from the
 * database what was appended next door. Appends of other processes break the run; readers then ask the database as always.
 */
import type { StoredEvent } from '../../events/log.js';
import { areaOf, isArea } from './area.js';

/** Most events that are kept for a reader who falls behind: some 80 MB of scans. */
const MOST = 64_000;
/** Events are let go this many at a time. */
const STEP = 1_000;

/** Somebody who reads on from `at`. */
export interface TailReader {
  at: bigint;
  /** He may come much later: what the others have had by then he fetches from the database. To keep it for him costs the garbage collector more. */
  readonly patient: boolean;
}

export class Tail {
  readonly #readers = new Set<TailReader>();
  #events: StoredEvent[] = [];
  /** Position of the first event of the run. */
  #start = 0n;
  /** By area (a stream's name up to its first hyphen): the position of its last event in the run. Most readers have no event in most of it. */
  #last = new Map<string, bigint>();

  join(at: bigint, { patient = false } = {}): TailReader {
    const reader = { at, patient };
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: TailReader): void {
    this.#readers.delete(reader);
  }

  /** Adds a gapless run of one stream that begins at `first`; drops what it does not join. */
  add(stream: string, first: bigint, events: readonly StoredEvent[]): void {
    if (this.#start + BigInt(this.#events.length) !== first) {
      this.#events = [];
      this.#start = first;
    }
    for (const event of events) this.#events.push(event);
    this.#last.set(areaOf(stream), first + BigInt(events.length - 1));
    this.letGo();
  }

  /** Of what every reader has, and what is too much; patient readers do not count, nor those far behind the run. */
  letGo(): void {
    if (this.#events.length < STEP) return;
    let needed = this.#events.length;
    for (const { at, patient } of this.#readers) if (!patient && at + 1n >= this.#start) needed = Math.min(needed, Number(at + 1n - this.#start));
    const gone = Math.max(needed, this.#events.length - MOST);
    if (gone < STEP) return;
    this.#start += BigInt(gone);
    this.#events = this.#events.slice(gone);
  }

  /** Events in (from, to] of streams that begin with one of `prefixes`, or undefined where the run does not hold them all. */
  between(from: bigint, to: bigint, prefixes: readonly string[] | undefined): readonly StoredEvent[] | undefined {
    const skip = Number(from + 1n - this.#start);
    const end = Number(to + 1n - this.#start);
    if (skip < 0 || end > this.#events.length) return undefined;
    if (!prefixes) return this.#events.slice(skip, end);
    const some = prefixes.filter((prefix) => (isArea(prefix) ? (this.#last.get(prefix) ?? 0n) : to) > from);
    return some.length === 0 ? [] : this.#events.slice(skip, end).filter(({ stream }) => some.some((prefix) => stream.startsWith(prefix)));
  }
}
