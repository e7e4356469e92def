/**
 * The shared subscription of this process to the whole log. Each event is received and decoded once, and every follower
 * reads its events from the tail. It starts at the position where the first follower has caught up, and stops with the
 * last follower.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position, SubscribeOptions } from '../../events/core/log.js';
import { areaOf } from '../reading/area.js';
import { LogWakeups, type Listener } from '../reading/log-wakeups.js';
import type { EventStoreClient } from './client.js';
import { decodeEvent, positionOf, streamOf, type EventRecord } from './codec.js';
import type { Feed } from './feed.js';
import { isSystemStream, streamFilter, type StreamFilter } from './filter.js';
import { formatPosition, isKnown, parsePosition } from './position.js';
import { CHECKPOINT_INTERVAL } from './requests.js';
import { backOff, type RetryOptions } from './retry.js';
import { Tail, type Entry, type Found } from './tail.js';

export interface SharedSubscriptionOptions extends RetryOptions {
  /** Milliseconds without an event after which the end of the log is read. */
  readonly idle: number;
}

/** Number of messages to read ahead; they are decoded together. */
const BUFFER = 512;
const ALL_EVENTS = streamFilter();
/**
 * If no follower waits for the end of the log, only every fourth idle period reads it. The read then only skips system
 * events.
 */
const IDLE_PERIODS_PER_READ = 4;

interface Run {
  readonly tail: Tail;
  readonly stop: AbortController;
  /** Aborts with `stop`, or when the log is closed. */
  readonly signal: AbortSignal;
  failure?: { readonly error: unknown };
}

export class SharedSubscription {
  readonly #client: EventStoreClient;
  readonly #options: SharedSubscriptionOptions;
  readonly #closed: AbortSignal;
  readonly #wakeUps = new LogWakeups(() => false);
  #run: Run | undefined;
  #followers = 0;
  /** Number of reads of the log's end that were started. */
  #endReads = 0;
  #isReadingEnd = false;
  /** Whether a follower waits for the next read of the end. */
  #isEndRequested = false;
  /** The end of the log, and the number of the read that found it. */
  #end: { readonly position: Position; readonly readNumber: number } | undefined;

  /** An abort of `closed` ends the subscription for every follower. */
  constructor(client: EventStoreClient, options: SharedSubscriptionOptions, closed: AbortSignal) {
    this.#client = client;
    this.#options = options;
    this.#closed = closed;
  }

  /** Whether the tail holds, or will receive, all events after a position. */
  holds(position: Position): boolean {
    return this.#run?.tail.holds(position) ?? false;
  }

  /** Whether the tail holds the position, or can start there. */
  canStartAt(position: Position): boolean {
    return !this.#run || this.holds(position);
  }

  /** Starts the subscription at the position of a follower that has caught up, unless it already runs. */
  begin(at: Position): void {
    if (this.#run) return;
    const stop = new AbortController();
    const run: Run = { tail: new Tail(at), stop, signal: AbortSignal.any([stop.signal, this.#closed]) };
    this.#run = run;
    void this.#follow(run);
  }

  /** Adds a follower and returns its listener, with `SubscribeOptions`. */
  join(options: SubscribeOptions): Listener {
    this.#followers += 1;
    return this.#wakeUps.listen(options);
  }

  leave(listener: Listener): void {
    this.#wakeUps.leave(listener);
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.#run?.stop.abort();
    this.#run = undefined;
    this.#end = undefined;
  }

  wakeAwaited(): void {
    this.#wakeUps.wakeAwaited();
  }

  /**
   * Events after a position; undefined if the tail no longer holds it. Throws if the subscription has failed
   * permanently.
   */
  eventsAfter(position: Position, filter: StreamFilter, limit: number): Found | undefined {
    if (this.#run?.failure) throw this.#run.failure.error;
    return this.holds(position) ? this.#run!.tail.eventsAfter(position, filter, limit) : undefined;
  }

  /** Requests a read of the log's end. Returns a number to pass to `isEnd`. */
  requestEnd(): number {
    this.#isEndRequested = true;
    return this.#endReads;
  }

  /** Whether a read with a number above `requestNumber` found the end of the log at this position. */
  isEnd(position: Position, requestNumber: number): boolean {
    return this.#end !== undefined && this.#end.position === position && this.#end.readNumber > requestNumber;
  }

  async #follow(run: Run): Promise<void> {
    const { tail, signal } = run;
    for (let failures = 0; !signal.aborted;) {
      const feed = this.#client.subscribe(parsePosition(tail.to), ALL_EVENTS, BUFFER);
      try {
        await this.#take(feed, run, () => (failures = 0));
      } catch (error) {
        if (!this.#options.isTransient(error)) {
          run.failure = { error };
          return this.#wakeUps.notify(undefined);
        }
        failures += 1;
        this.#options.onRetry(error, failures);
        await sleep(backOff(this.#options, failures), undefined, { signal }).catch(() => undefined);
      } finally {
        feed.close();
      }
    }
  }

  /** Returns only on the signal, and throws when the feed breaks. */
  async #take(feed: Feed, { tail, signal }: Run, succeeded: () => void): Promise<void> {
    let live = false;
    let idlePeriods = 0;
    while (!signal.aborted) {
      const before = tail.to;
      const areas = new Set<string>();
      for (let next = feed.take(); next; next = feed.take()) {
        succeeded();
        if (next.kind === 'caught-up') live = true;
        else if (next.kind === 'fell-behind') live = false;
        else if (next.kind === 'event') {
          const entry = decoded(next.record);
          // A subscription may repeat events when it switches to live.
          if (entry.position <= tail.to) continue;
          tail.add(entry);
          areas.add(areaOf(entry.stream));
        } else if (isKnown(next.position)) tail.pass(formatPosition(next.position));
      }
      if (tail.to !== before) this.#wakeUps.notify(areas);
      if (feed.error) throw feed.error;
      if ((await feed.wait(this.#options.idle, signal)) || !live) continue;
      idlePeriods += 1;
      if (this.#isEndRequested || idlePeriods % IDLE_PERIODS_PER_READ === 0) void this.#readEnd(tail, signal);
    }
  }

  /**
   * Reads the log after the tail, up to the first event that is not a system event; the feed delivers that one. The
   * feed never delivers system events and sends checkpoints for them only rarely. Without this read, the position would
   * lag behind the end of the log, and "caught up" could be wrong while events are in transit.
   */
  async #readEnd(tail: Tail, signal: AbortSignal): Promise<void> {
    if (this.#isReadingEnd) return;
    this.#isReadingEnd = true;
    const wasRequested = this.#isEndRequested;
    this.#isEndRequested = false;
    const readNumber = ++this.#endReads;
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
      if (read < CHECKPOINT_INTERVAL) this.#end = { position: at, readNumber };
      if (wasRequested || at !== from) this.#wakeUps.notify(undefined);
    } catch {
      // A broken connection also breaks the feed, which is then restarted. After any other failure, the next call reads
      // again.
      this.#isEndRequested ||= wasRequested;
    } finally {
      this.#isReadingEnd = false;
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
