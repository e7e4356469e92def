/**
 * The end of the log as this process wrote it: one gapless run of events, so that a reader who keeps up need not fetch
 * from the database what was appended next door. Appends of other processes break the run; readers then ask the
 * database as always.
 */
import type { StoredEvent } from '../../events/core/log.js';
import { areaOf, isArea } from '../reading/area.js';

/**
 * Most events that are kept for a reader who falls behind: some 50 MB of scans, outside the heap until they are read.
 */
const MOST = 64_000n;
/** Events are let go this many at a time. */
const STEP = 1_000n;

/** Somebody who reads on from `at`. */
export interface TailReader {
  at: bigint;
  /**
   * It may come much later: what the others have had by then it fetches from the database. Events that were read are
   * objects, and to keep these for it costs the garbage collector more.
   */
  readonly patient: boolean;
}

/** Neighbouring events of one stream. */
export interface Run {
  readonly stream: string;
  /** Position of the first one. */
  readonly first: bigint;
  readonly length: number;
  /** Put together when they are asked for. */
  readonly events: readonly StoredEvent[];
}

export class Tail {
  readonly #readers = new Set<TailReader>();
  /** What is kept: runs without a gap between them. */
  #runs: Run[] = [];
  /** Where they begin, and the position after them. */
  #start = 0n;
  #end = 0n;
  /**
   * By area (a stream's name up to its first hyphen): the position of its last event. Most readers have no event in
   * most of it.
   */
  #last = new Map<string, bigint>();

  join(at: bigint, { patient = false } = {}): TailReader {
    const reader = { at, patient };
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: TailReader): void {
    this.#readers.delete(reader);
  }

  /** Adds a run; drops what it does not join. */
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

  /** Of what every reader has, and what is too much; patient readers do not count, nor those that lag far behind. */
  letGo(): void {
    if (this.#end - this.#start < STEP) return;
    let needed = this.#end;
    for (const { at, patient } of this.#readers)
      if (!patient && at + 1n >= this.#start && at < needed) needed = at + 1n;
    if (needed < this.#end - MOST) needed = this.#end - MOST;
    if (needed - this.#start < STEP) return;
    this.#runs = this.#runs.slice(this.#holding(needed));
    this.#start = this.#runs[0]?.first ?? this.#end;
  }

  /** Events in (from, to] of streams that begin with one of `prefixes`, or undefined where not all of them are here. */
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

  /** Index of the run that holds a position; after all of them: their number. */
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
