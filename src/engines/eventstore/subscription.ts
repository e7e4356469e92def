/**
 * Implements the port's subscription. It reads from the subscription that all followers of this process share
 * (`SharedSubscription`), or from a separate feed while it is too far behind.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, Position, StoredEvent, SubscribeOptions } from '../../events/core/log.js';
import type { EventStoreClient } from './client.js';
import { decodeEvent } from './codec.js';
import type { Feed } from './feed.js';
import { streamFilter, type StreamFilter } from './filter.js';
import { formatPosition, isKnown, parsePosition } from './position.js';
import { CHECKPOINT_INTERVAL } from './requests.js';
import { backOff } from './retry.js';
import type { SharedSubscription, SharedSubscriptionOptions } from './shared-subscription.js';

/**
 * Milliseconds that a lagging subscription waits for more events before it delivers a partial batch: between two
 * events, and in total.
 */
const LINGER = 10;
const MAX_LINGER = 200;
const SMALLEST_BUFFER = 16;

/** Runs until `signal` aborts. Throws only permanent errors. */
export async function* follow(
  client: EventStoreClient,
  shared: SharedSubscription,
  from: Position,
  options: SubscribeOptions,
  settings: SharedSubscriptionOptions,
): AsyncGenerator<Batch> {
  const { prefixes, batch: size, signal } = options;
  const filter = streamFilter(prefixes);
  let position = from;
  let failures = 0;
  parsePosition(from);
  while (!signal.aborted) {
    if (shared.holds(position)) {
      for await (const batch of fromShared(shared, filter, position, options)) {
        position = batch.position;
        yield batch;
      }
      continue;
    }
    const feed = client.subscribe(parsePosition(position), filter, Math.max(SMALLEST_BUFFER, size));
    const own = new CatchUp(client, shared, feed, filter, position, settings.idle);
    try {
      for await (const batch of own.batches(size, signal)) {
        position = batch.position;
        failures = 0;
        yield batch;
      }
      if (own.isAtEnd && !signal.aborted) shared.begin(position);
    } catch (error) {
      if (!settings.isTransient(error)) throw error;
      failures += 1;
      settings.onRetry(error, failures);
      await sleep(backOff(settings, failures), undefined, { signal }).catch(() => undefined);
    } finally {
      feed.close();
    }
  }
}

/** Ends on the signal, or when the shared subscription no longer holds the position. */
async function* fromShared(
  shared: SharedSubscription,
  filter: StreamFilter,
  from: Position,
  options: SubscribeOptions,
): AsyncGenerator<Batch> {
  const { batch: size, signal } = options;
  const listener = shared.join(options);
  signal.addEventListener('abort', listener.wake);
  let position = from;
  let requestNumber: number | undefined;
  let isEndReported = false;
  try {
    while (!signal.aborted) {
      listener.reset();
      const found = shared.eventsAfter(position, filter, size);
      if (!found) return;
      if (found.events.length > 0 || found.position !== position) {
        if (found.events.length > 0) listener.markFound();
        position = found.position;
        isEndReported = false;
        requestNumber = undefined;
        yield { ...found, caughtUp: false };
        continue;
      }
      if (!isEndReported) {
        requestNumber ??= shared.requestEnd();
        isEndReported = shared.isEnd(position, requestNumber);
        if (isEndReported) {
          yield { events: [], position, caughtUp: true };
          continue;
        }
      }
      await listener.waitForEvents();
    }
  } finally {
    signal.removeEventListener('abort', listener.wake);
    shared.leave(listener);
  }
}

/** Reads from a separate feed until the shared subscription holds the next events. */
class CatchUp {
  /** All matching events up to this position are in `#events` or were delivered. */
  #position: Position;
  #events: StoredEvent[] = [];
  /** Whether the server has sent all existing events. */
  #live = false;
  #isAtEnd = false;

  constructor(
    private readonly client: EventStoreClient,
    private readonly shared: SharedSubscription,
    private readonly feed: Feed,
    private readonly filter: StreamFilter,
    position: Position,
    private readonly idle: number,
  ) {
    this.#position = position;
  }

  /** Whether the log had no more events when this ended. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /**
   * Ends on `signal`, at the end of the log, and at a position that the shared subscription holds. Throws the error of
   * the feed after all received events were delivered.
   */
  async *batches(size: number, signal: AbortSignal): AsyncGenerator<Batch> {
    let reportedPosition = this.#position;
    let since = Date.now();
    while (!signal.aborted) {
      this.#drain(size);
      const gathers = !this.#live && this.#events.length < size && !this.feed.error && Date.now() - since < MAX_LINGER;
      if (gathers && (await this.feed.wait(LINGER, signal))) continue;
      this.#isAtEnd = this.#live && this.#events.length === 0 && !this.feed.error && (await this.#lookAhead(signal));
      if (signal.aborted) return;
      if (this.#events.length > 0 || this.#position !== reportedPosition) {
        const events = this.#events;
        this.#events = [];
        reportedPosition = this.#position;
        yield { events, position: reportedPosition, caughtUp: false };
        since = Date.now();
        if (this.shared.holds(this.#position)) return;
      } else if (this.feed.error) throw this.feed.error;
      else if (this.#isAtEnd && this.shared.canStartAt(this.#position)) return;
      else await this.feed.wait(this.idle, signal);
    }
  }

  #drain(size: number): void {
    while (this.#events.length < size) {
      const signal = this.feed.take();
      if (!signal) return;
      if (signal.kind === 'caught-up') this.#live = true;
      else if (signal.kind === 'fell-behind') this.#live = false;
      else if (signal.kind === 'event') {
        const event = decodeEvent(signal.record);
        if (event.position <= this.#position) continue;
        this.#events.push(event);
        this.#position = event.position;
      } else if (isKnown(signal.position)) {
        const position = formatPosition(signal.position);
        if (position > this.#position) this.#position = position;
      }
    }
  }

  /**
   * Moves the position past events that do not match, up to the first match, which the feed delivers. Needed because
   * the server sends a checkpoint only after a number of events. Returns whether the end of the log was reached.
   */
  async #lookAhead(signal: AbortSignal): Promise<boolean> {
    const from = this.#position;
    const ahead = { from: parsePosition(from) ?? 'start', direction: 'forwards', count: CHECKPOINT_INTERVAL } as const;
    let read = 0;
    try {
      for await (const { stream, position } of this.client.readAll(ahead, signal)) {
        read += 1;
        if (position <= from) continue;
        if (this.filter.matches(stream)) return false;
        this.#position = position;
      }
      return read < CHECKPOINT_INTERVAL;
    } catch {
      // A broken connection also breaks the feed, which is then restarted. After any other failure, the next call reads
      // again.
      return false;
    }
  }
}
