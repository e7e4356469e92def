/**
 * Notifies subscribers of events in the log. All subscribers share one reader, which runs only while there are
 * subscribers. A subscriber that reconnects passes the last position it has seen and misses nothing after it.
 */
import { START, type EventLog, type Position, type StoredEvent } from '../../events/core/log.js';

const BATCH = 500;
/** A subscriber with more queued batches than this must reload. */
const MAX_WAITING = 200;
/** Older events are not sent again. */
const MAX_AGE_MS = 10 * 60_000;

/** The content of one batch of the log for the subscribers of a key. */
export interface LogNews<T> {
  readonly position: Position;
  readonly news: T;
}

export interface LogFeed<T> {
  /**
   * Yields the events that are recorded from now on, or after `after`. Yields `reset` if `after` is too long ago or the
   * subscriber too slow. Ends with `signal`. Throws the errors of the log.
   */
  listen(
    key: string,
    signal: AbortSignal,
    after?: Position,
  ): Promise<{ readonly position: Position; readonly news: AsyncIterable<LogNews<T> | 'reset'> }>;
  /**
   * Sends news that is not in the log to the subscribers of a key. `news` is called once they have received everything
   * from the log up to the position.
   */
  publish(key: string, news: (position: Position) => T): Promise<void>;
}

export interface LogFeedOptions<T> {
  readonly log: EventLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly prefixes: readonly string[];
  /**
   * Maps a batch to the news of each key. `wanted` contains the keys that have subscribers. `isMissed`: the batch is
   * read again for one subscriber that missed it.
   */
  readonly resolve: (
    events: readonly StoredEvent[],
    position: Position,
    wanted: ReadonlySet<string>,
    isMissed: boolean,
  ) => Promise<ReadonlyMap<string, T>> | ReadonlyMap<string, T>;
}

/** Buffer between the reader of the log and one subscriber. */
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

interface FeedReader {
  readonly stop: AbortController;
  /** Position at which the reader begins. */
  readonly started: Promise<Position>;
  /** Position up to which subscribers have received all events, once `delivering` has settled. */
  position: Position;
  delivering: Promise<void> | undefined;
}

export function createLogFeed<T>({ log, now, prefixes, resolve }: LogFeedOptions<T>): LogFeed<T> {
  const subscribers = new Map<string, Set<Queue<T>>>();
  let reader: FeedReader | undefined;

  /** The head is read before `listen` returns, so no event that is recorded afterwards is missed. */
  function start(): FeedReader {
    const stop = new AbortController();
    const started = log.head().then((head) => {
      own.position = head;
      void read(own, stop.signal);
      return head;
    });
    const own: FeedReader = { stop, started, position: START, delivering: undefined };
    return own;
  }

  async function read(own: FeedReader, signal: AbortSignal): Promise<void> {
    try {
      for await (const { events, position } of log.subscribe(own.position, { prefixes, batch: BATCH, signal })) {
        own.position = position;
        if (events.length > 0) await (own.delivering = deliver(events, position));
        own.delivering = undefined;
      }
    } catch (error) {
      if (signal.aborted) return;
      // All subscriptions end with the error and their clients reconnect; the next subscriber starts a new reader.
      if (reader === own) reader = undefined;
      for (const queue of [...subscribers.values()].flatMap((set) => [...set])) queue.end(error);
    }
  }

  /** A subscriber that joins during the call begins at this position, so only the existing queues get the batch. */
  async function deliver(events: readonly StoredEvent[], position: Position): Promise<void> {
    const currentQueues = new Map([...subscribers].map(([key, queues]) => [key, [...queues]]));
    for (const [key, news] of await resolve(events, position, new Set(currentQueues.keys()), false))
      for (const queue of currentQueues.get(key) ?? []) queue.add({ position, news });
  }

  /** Yields the batches that a subscriber missed, up to the first batch that it receives from the shared reader. */
  async function* missed(
    key: string,
    after: Position,
    until: Position,
    signal: AbortSignal,
  ): AsyncGenerator<LogNews<T> | 'reset'> {
    if (after >= until) return;
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    const since = new Date(now() - MAX_AGE_MS).toISOString();
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
    async publish(key, news) {
      while (reader?.delivering) await reader.delivering.catch(() => undefined);
      // Without a position the reader has not begun, and subscribers expect nothing yet.
      if (!reader?.position) return;
      const item = { position: reader.position, news: news(reader.position) };
      for (const queue of subscribers.get(key) ?? []) queue.add(item);
    },

    async listen(key, signal, after) {
      const queue = new Queue<T>();
      const set = subscribers.get(key) ?? new Set();
      subscribers.set(key, set.add(queue));
      const leave = () => {
        queue.end();
        if (!set.delete(queue) || set.size > 0) return;
        if (subscribers.get(key) === set) subscribers.delete(key);
        if (subscribers.size > 0) return;
        reader?.stop.abort();
        reader = undefined;
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      const activeReader = (reader ??= start());
      // Read in the same turn in which the queue is added: every later batch goes to the queue.
      let joined = activeReader.position;
      try {
        if (joined === START) joined = await activeReader.started;
      } catch (error) {
        if (reader === activeReader) reader = undefined;
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
