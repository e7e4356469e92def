/**
 * Notifies subscribers of what is recorded in the log: one reader for all, and none while nobody follows. A subscriber
 * that reconnects names the last position it has seen, and misses nothing after it.
 */
import { START, type EventLog, type Position, type StoredEvent } from '../../events/core/log.js';

const BATCH = 500;
/** A subscriber with this many batches queued starts anew. */
const MAX_WAITING = 200;
/** What lies further back is not told again. */
const KEPT_MS = 10 * 60_000;

/** What subscribers of a key get of one batch of the log. */
export interface LogNews<T> {
  readonly position: Position;
  readonly news: T;
}

export interface LogFeed<T> {
  /**
   * What is recorded from now on, or after `after`; `reset` where that is too long ago, or the reader too slow. Ends
   * with `signal`. Throws what the log throws.
   */
  listen(
    key: string,
    signal: AbortSignal,
    after?: Position,
  ): Promise<{ readonly position: Position; readonly news: AsyncIterable<LogNews<T> | 'reset'> }>;
  /**
   * Gives the followers of a key what is not in the log. `news` is called when they have got all that was found in it,
   * up to the position.
   */
  tell(key: string, news: (position: Position) => T): Promise<void>;
}

export interface LogFeedOptions<T> {
  readonly log: EventLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly prefixes: readonly string[];
  /**
   * What a batch means to followers, by key. Of `wanted` somebody is a follower. `isMissed`: it is for one alone who
   * missed it.
   */
  readonly resolve: (
    events: readonly StoredEvent[],
    position: Position,
    wanted: ReadonlySet<string>,
    isMissed: boolean,
  ) => Promise<ReadonlyMap<string, T>> | ReadonlyMap<string, T>;
}

/** Between the log's reader and one follower. */
class Queue<T> {
  #waiting: LogNews<T>[] = [];
  #ended: { readonly error?: unknown } | undefined;
  #overrun = false;
  #resume: () => void = () => undefined;

  add(news: LogNews<T>): void {
    if (this.#waiting.push(news) > MAX_WAITING) {
      this.#waiting = [];
      this.#overrun = true;
    }
    this.#resume();
  }

  end(error?: unknown): void {
    this.#ended ??= error === undefined ? {} : { error };
    this.#resume();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LogNews<T> | 'reset'> {
    for (;;) {
      if (this.#ended?.error !== undefined) throw this.#ended.error;
      if (this.#ended) return;
      if (this.#overrun) return yield 'reset';
      const next = this.#waiting.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => (this.#resume = resolve));
    }
  }
}

interface Reading {
  readonly stop: AbortController;
  /** Where it begins. */
  readonly started: Promise<Position>;
  /** Everything up to here was given to followers, once `telling` is done. */
  position: Position;
  telling: Promise<void> | undefined;
}

export function createLogFeed<T>({ log, now, prefixes, resolve }: LogFeedOptions<T>): LogFeed<T> {
  const followers = new Map<string, Set<Queue<T>>>();
  let reading: Reading | undefined;

  /** The head is read before the subscriber is told that it listens: nothing recorded after that is missed. */
  function start(): Reading {
    const stop = new AbortController();
    const started = log.head().then((head) => {
      own.position = head;
      void read(own, stop.signal);
      return head;
    });
    const own: Reading = { stop, started, position: START, telling: undefined };
    return own;
  }

  async function read(own: Reading, signal: AbortSignal): Promise<void> {
    try {
      for await (const { events, position } of log.subscribe(own.position, { prefixes, batch: BATCH, signal })) {
        own.position = position;
        if (events.length > 0) await (own.telling = tellAll(events, position));
        own.telling = undefined;
      }
    } catch (error) {
      if (signal.aborted) return;
      // All subscribers are ended and reconnect; the next one starts a new reader.
      if (reading === own) reading = undefined;
      for (const queue of [...followers.values()].flatMap((set) => [...set])) queue.end(error);
    }
  }

  /** Who comes meanwhile was told a position behind this. */
  async function tellAll(events: readonly StoredEvent[], position: Position): Promise<void> {
    const there = new Map([...followers].map(([key, queues]) => [key, [...queues]]));
    for (const [key, news] of await resolve(events, position, new Set(there.keys()), false))
      for (const queue of there.get(key) ?? []) queue.add({ position, news });
  }

  /** What a subscriber missed, up to the first batch that it got from the shared reader. */
  async function* missed(
    key: string,
    after: Position,
    until: Position,
    signal: AbortSignal,
  ): AsyncGenerator<LogNews<T> | 'reset'> {
    if (after >= until) return;
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    const since = new Date(now() - KEPT_MS).toISOString();
    try {
      for await (const { events, position, caughtUp } of log.subscribe(after, {
        prefixes,
        batch: BATCH,
        signal: both,
      })) {
        const own = events.filter((event) => event.position <= until);
        if (own.some(({ metadata }) => (metadata['recorded_at'] as string) < since)) return yield 'reset';
        const news = own.length > 0 ? (await resolve(own, position, new Set([key]), true)).get(key) : undefined;
        if (news !== undefined) yield { position: own.at(-1)!.position, news };
        if (position >= until || caughtUp) return;
      }
    } finally {
      ended.abort();
    }
  }

  return {
    async tell(key, news) {
      while (reading?.telling) await reading.telling.catch(() => undefined);
      // Nobody is told anything before the reader has begun.
      if (!reading?.position) return;
      const told = { position: reading.position, news: news(reading.position) };
      for (const queue of followers.get(key) ?? []) queue.add(told);
    },

    async listen(key, signal, after) {
      const queue = new Queue<T>();
      const set = followers.get(key) ?? new Set();
      followers.set(key, set.add(queue));
      const leave = () => {
        queue.end();
        if (!set.delete(queue) || set.size > 0) return;
        if (followers.get(key) === set) followers.delete(key);
        if (followers.size > 0) return;
        reading?.stop.abort();
        reading = undefined;
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      const mine = (reading ??= start());
      // Taken in the moment in which the queue is there: what comes from now on is in the queue.
      let joined = mine.position;
      try {
        if (joined === START) joined = await mine.started;
      } catch (error) {
        if (reading === mine) reading = undefined;
        leave();
        throw error;
      }
      async function* all(): AsyncGenerator<LogNews<T> | 'reset'> {
        if (after !== undefined)
          for await (const news of missed(key, after, joined, signal)) {
            yield news;
            if (news === 'reset') return;
          }
        yield* queue;
      }
      return { position: after ?? joined, news: all() };
    },
  };
}
