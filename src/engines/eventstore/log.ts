/**
 * The event log in EventStoreDB, 24.2 or later. A filtered subscription of older servers skips one event if it starts
 * after the position of an event that the filter excludes. The database belongs to this service alone, and its user
 * must be allowed to read `$all`.
 */
import { boundLog } from '../../events/core/bound-log.js';
import { AppendTooLarge, LogUnavailable, START } from '../../events/core/log.js';
import type {
  AppendOutcome,
  Batch,
  EventLog,
  EventName,
  Position,
  Revision,
  StoredEvent,
  StreamAppend,
  SubscribeOptions,
} from '../../events/core/log.js';
import { EventStoreClient, isTransient } from './client.js';
import { sizeOf } from './codec.js';
import { isSystemStream } from './filter.js';
import { LogEnd } from './log-end.js';
import { isLogPosition } from './position.js';
import { resume, retry } from './retry.js';
import { Slots } from './slots.js';
import { follow } from './subscription.js';
import { SharedSubscription, type SharedSubscriptionOptions } from './shared-subscription.js';

export interface EventStoreOptions extends SharedSubscriptionOptions {
  /**
   * Maximum number of concurrent stream reads: a connection allows only some hundred gRPC streams, and subscriptions
   * need some of them.
   */
  readonly concurrency: number;
  /** Milliseconds that an append or a read waits in the queue: as long as the caller waits for a response. */
  readonly queueTimeout: number;
  /** Maximum bytes in one append; the server's `MaxAppendSize`. */
  readonly maxAppendBytes: number;
}

const DEFAULTS: EventStoreOptions = {
  attempts: 5,
  timeout: 5_000,
  delay: 100,
  maxDelay: 5_000,
  isTransient,
  onRetry: () => undefined,
  idle: 250,
  concurrency: 64,
  queueTimeout: 15_000,
  maxAppendBytes: 1024 * 1024,
};

/** Maximum number of system events at the end of the log that `head` reads. */
const HEAD_SEARCH = 1_000;

/**
 * Connects to an `esdb://` or `esdb+discover://` address. Throws LogUnavailable if no server responds there. Each
 * process needs only one log.
 */
export async function connectEventStore(url: string, options: Partial<EventStoreOptions> = {}): Promise<EventLog> {
  const log = new EventStoreLog(url, { ...DEFAULTS, ...options });
  try {
    await log.head();
    return boundLog(log);
  } catch (error) {
    await log.close();
    throw error;
  }
}

class EventStoreLog implements EventLog {
  readonly #client: EventStoreClient;
  readonly #options: EventStoreOptions;
  readonly #reading: Slots;
  readonly #shared: SharedSubscription;
  readonly #closed = new AbortController();
  readonly #end = new LogEnd(() =>
    retry(this.#options, async () => {
      let end = START;
      const last = { from: 'end', direction: 'backwards', count: 1 } as const;
      for await (const { position } of this.#client.readAll(last)) end = position;
      return end;
    }),
  );

  constructor(url: string, options: EventStoreOptions) {
    this.#options = { ...options, closed: this.#closed.signal };
    this.#client = new EventStoreClient(url, options);
    this.#shared = new SharedSubscription(this.#client, options, this.#closed.signal);
    this.#reading = new Slots(options.concurrency, options.queueTimeout);
  }

  async append(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]> {
    this.#checkOpen();
    if (new Set(appends.map((append) => append.stream)).size < appends.length)
      throw new RangeError('Each stream may occur only once in the list.');
    for (const append of appends) this.#check(append);
    if (appends.length === 0) return [];
    // The server gives a repeated append the same response as the first append. An event before the earlier end of the
    // log is therefore a repetition. If two attempts are simultaneous, both count as the first.
    const end = await this.#end.now();
    const ended = await Promise.allSettled(
      appends.map(async (append): Promise<AppendOutcome> => {
        const outcome = await retry(this.#options, () => this.#client.append(append));
        if (outcome.outcome === 'appended') this.#end.observe(outcome.position);
        return outcome.outcome === 'appended' && outcome.position <= end ? { ...outcome, repeated: true } : outcome;
      }),
    );
    // All appends have ended here, so no append is still running when this method throws.
    return ended.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
  }

  async *read(stream: string, from: Revision = 0): AsyncGenerator<StoredEvent> {
    this.#checkOpen();
    let next = from;
    for await (const event of resume(this.#options, () => this.#client.readStream(stream, next))) {
      next = event.revision + 1;
      yield event;
    }
  }

  /** One read for each run of consecutive revisions in a stream. */
  async pick(events: readonly EventName[]): Promise<readonly StoredEvent[]> {
    this.#checkOpen();
    const runs: { stream: string; from: Revision; count: number }[] = [];
    for (const { stream, revision } of events) {
      const last = runs.at(-1);
      if (last?.stream === stream && revision === last.from + last.count) last.count++;
      else runs.push({ stream, from: revision, count: 1 });
    }
    const found = await this.#reading.map(runs, ({ stream, from, count }) =>
      retry(this.#options, () => listed(this.#client.readStream(stream, from, count))),
    );
    return found.flat();
  }

  async readMany(streams: readonly string[]): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
    const distinct = [...new Set(streams)];
    const events = await this.#reading.map(distinct, (stream) => listed(this.read(stream)));
    return new Map(
      distinct.map((stream, index) => [stream, events[index] ?? []] as const).filter(([, found]) => found.length > 0),
    );
  }

  subscribe(from: Position, options: SubscribeOptions): AsyncGenerator<Batch> {
    return follow(
      this.#client,
      this.#shared,
      from,
      { ...options, signal: AbortSignal.any([options.signal, this.#closed.signal]) },
      this.#options,
    );
  }

  /**
   * The position of the last event that is not a system event. If all searched events are system events, the position
   * of the oldest of them; no event of this service is after it.
   */
  async head(): Promise<Position> {
    this.#checkOpen();
    return retry(this.#options, async () => {
      let searched = 0;
      let oldest = START;
      for await (const { stream, position } of this.#client.readAll({
        from: 'end',
        direction: 'backwards',
        count: HEAD_SEARCH,
      })) {
        searched += 1;
        oldest = position;
        if (!isSystemStream(stream)) return oldest;
      }
      return searched < HEAD_SEARCH ? START : oldest;
    });
  }

  wakeAwaited(): void {
    this.#shared.wakeAwaited();
  }

  isPosition(position: string): boolean {
    return isLogPosition(position);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#client.close();
  }

  #checkOpen(): void {
    if (this.#closed.signal.aborted) throw new LogUnavailable('The log is closed.');
  }

  #check({ stream, events }: StreamAppend): void {
    if (isSystemStream(stream)) throw new RangeError(`${stream} is the name of a system stream.`);
    if (events.length === 0) throw new RangeError(`The append to ${stream} has no event.`);
    const size = events.reduce((sum, event) => sum + sizeOf(event), 0);
    if (size > this.#options.maxAppendBytes) throw new AppendTooLarge(stream, size, this.#options.maxAppendBytes);
  }
}

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
