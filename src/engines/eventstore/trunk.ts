/**
 * The one subscription of this process to the whole log: each event comes and is decoded once, and every follower takes
 * its own from the tail. It begins where the first follower has caught up, and ends with the last one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position, SubscribeOptions } from '../../events/core/log.js';
import { areaOf } from '../reading/area.js';
import { Growth, type Ear } from '../reading/growth.js';
import type { EventStoreClient } from './client.js';
import { decodeEvent, positionOf, streamOf, type EventRecord } from './codec.js';
import type { Feed } from './feed.js';
import { isSystemStream, streamFilter, type StreamFilter } from './filter.js';
import { formatPosition, isKnown, parsePosition } from './position.js';
import { CHECKPOINT_INTERVAL } from './requests.js';
import { backOff, type RetryOptions } from './retry.js';
import { Tail, type Entry, type Found } from './tail.js';

export interface TrunkOptions extends RetryOptions {
  /** Milliseconds without an event after which somebody looks how far the log has gone on without one. */
  readonly idle: number;
}

/** Messages that are read ahead: who decodes them takes what there is at once. */
const BUFFER = 512;
const EVERYTHING = streamFilter();
/** Where nobody waits for a look, it passes over events of the server itself, and has time. */
const RARELY = 4;

interface Run {
  readonly tail: Tail;
  readonly stop: AbortController;
  /** Of `stop`, or of the log. */
  readonly signal: AbortSignal;
  failure?: { readonly error: unknown };
}

export class Trunk {
  readonly #client: EventStoreClient;
  readonly #options: TrunkOptions;
  readonly #closed: AbortSignal;
  readonly #growth = new Growth(() => false);
  #run: Run | undefined;
  #followers = 0;
  /** Looks at the end that have begun. */
  #looks = 0;
  #looking = false;
  /** Somebody waits for the next look. */
  #asked = false;
  /** Where the log ended, as this look found it. */
  #end: { readonly position: Position; readonly look: number } | undefined;

  /** Ends with `closed`, for every follower. */
  constructor(client: EventStoreClient, options: TrunkOptions, closed: AbortSignal) {
    this.#client = client;
    this.#options = options;
    this.#closed = closed;
  }

  /** Whether everything after a position is here, or comes. */
  holds(position: Position): boolean {
    return this.#run?.tail.holds(position) ?? false;
  }

  /** The same, or it can begin there. */
  takes(position: Position): boolean {
    return !this.#run || this.holds(position);
  }

  /** For a follower that has caught up and joins now; where nobody began before it. */
  begin(at: Position): void {
    if (this.#run) return;
    const stop = new AbortController();
    const run: Run = { tail: new Tail(at), stop, signal: AbortSignal.any([stop.signal, this.#closed]) };
    this.#run = run;
    void this.#follow(run);
  }

  /** Hears of what comes, as `SubscribeOptions` say. */
  join(options: SubscribeOptions): Ear {
    this.#followers += 1;
    return this.#growth.listen(options);
  }

  leave(ear: Ear): void {
    this.#growth.leave(ear);
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.#run?.stop.abort();
    this.#run = undefined;
    this.#end = undefined;
  }

  hurry(): void {
    this.#growth.hurry();
  }

  /** Undefined: that is no longer here. Throws where nothing will ever come. */
  behind(position: Position, filter: StreamFilter, limit: number): Found | undefined {
    if (this.#run?.failure) throw this.#run.failure.error;
    return this.holds(position) ? this.#run!.tail.behind(position, filter, limit) : undefined;
  }

  /** Asks for a look at the end of the log that begins from now on: the number to ask `isEnd` with. */
  ask(): number {
    this.#asked = true;
    return this.#looks;
  }

  /** Whether a look that began after `asked` found the log to end there. */
  isEnd(position: Position, asked: number): boolean {
    return this.#end !== undefined && this.#end.position === position && this.#end.look > asked;
  }

  async #follow(run: Run): Promise<void> {
    const { tail, signal } = run;
    for (let failures = 0; !signal.aborted;) {
      const feed = this.#client.subscribe(parsePosition(tail.to), EVERYTHING, BUFFER);
      try {
        await this.#take(feed, run, () => (failures = 0));
      } catch (error) {
        if (!this.#options.isTransient(error)) {
          run.failure = { error };
          return this.#growth.tell(undefined);
        }
        failures += 1;
        this.#options.onRetry(error, failures);
        await sleep(backOff(this.#options, failures), undefined, { signal }).catch(() => undefined);
      } finally {
        feed.close();
      }
    }
  }

  /** Until the feed breaks. */
  async #take(feed: Feed, { tail, signal }: Run, succeeded: () => void): Promise<void> {
    let live = false;
    let rests = 0;
    while (!signal.aborted) {
      const before = tail.to;
      const areas = new Set<string>();
      for (let next = feed.take(); next; next = feed.take()) {
        succeeded();
        if (next.kind === 'caught-up') live = true;
        else if (next.kind === 'fell-behind') live = false;
        else if (next.kind === 'event') {
          const entry = decoded(next.record);
          // A subscription may repeat at its seam.
          if (entry.position <= tail.to) continue;
          tail.add(entry);
          areas.add(areaOf(entry.stream));
        } else if (isKnown(next.position)) tail.pass(formatPosition(next.position));
      }
      if (tail.to !== before) this.#growth.tell(areas);
      if (feed.error) throw feed.error;
      if ((await feed.wait(this.#options.idle, signal)) || !live) continue;
      rests += 1;
      if (this.#asked || rests % RARELY === 0) void this.#look(tail, signal);
    }
  }

  /**
   * Reads the log itself after the tail: up to an event of ours, which comes by the feed. Events of the server itself
   * never do, and a checkpoint for them comes only now and then, so the position would lag behind the end of the log;
   * and "caught up" would be a guess while events are on their way.
   */
  async #look(tail: Tail, signal: AbortSignal): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const asked = this.#asked;
    this.#asked = false;
    const look = ++this.#looks;
    const from = tail.to;
    let at = from;
    let read = 0;
    try {
      const ahead = {
        from: parsePosition(from) ?? 'start',
        direction: 'forwards',
        count: CHECKPOINT_INTERVAL,
      } as const;
      for await (const { stream, position } of this.#client.readAll(ahead, signal)) {
        read += 1;
        if (position <= from) continue;
        if (!isSystemStream(stream)) return;
        at = position;
      }
      if (tail.to > at) return;
      tail.pass(at);
      if (read < CHECKPOINT_INTERVAL) this.#end = { position: at, look };
      if (asked || at !== from) this.#growth.tell(undefined);
    } catch {
      // A broken connection breaks the feed too, which starts anew then; any other reason passes until the next look.
      this.#asked ||= asked;
    } finally {
      this.#looking = false;
    }
  }
}

function decoded(record: EventRecord): Entry {
  try {
    return decodeEvent(record);
  } catch (error) {
    return { stream: streamOf(record), position: positionOf(record), error };
  }
}
