/** The port's subscription: batches from a feed, and a new feed behind the last batch whenever one breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, Position, StoredEvent, SubscribeOptions } from '../../events/core/log.js';
import { CHECKPOINT_INTERVAL, type EventStoreClient } from './client.js';
import { decodeEvent } from './codec.js';
import type { Feed } from './feed.js';
import { streamFilter, type StreamFilter } from './filter.js';
import { formatPosition, isKnown, parsePosition } from './position.js';
import { backOff, type RetryOptions } from './retry.js';

export interface FollowOptions extends RetryOptions {
  /** Milliseconds after which a subscription that hears nothing looks how far the log has gone on without it. */
  readonly idle: number;
}

/**
 * Milliseconds that a subscription that is behind waits for more before it delivers a batch that is not full: from one
 * event to the next, and in all.
 */
const LINGER = 10;
const LONGEST_LINGER = 200;
const SMALLEST_BUFFER = 16;

/** Never ends by itself, and throws only what is permanent. */
export async function* follow(
  client: EventStoreClient,
  from: Position,
  options: SubscribeOptions,
  settings: FollowOptions,
): AsyncGenerator<Batch> {
  const { prefixes, batch: size, signal } = options;
  const filter = streamFilter(prefixes);
  let position = from;
  let failures = 0;
  while (!signal.aborted) {
    const feed = client.subscribe(parsePosition(position), filter, Math.max(SMALLEST_BUFFER, size));
    try {
      for await (const batch of new Follower(client, feed, filter, position, settings.idle).batches(size, signal)) {
        position = batch.position;
        failures = 0;
        yield batch;
      }
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

class Follower {
  /** Up to here everything is in `#events` or was delivered, or does not match. */
  #position: Position;
  #events: StoredEvent[] = [];
  /** The server has sent what it had. */
  #live = false;
  /** And the log held nothing more for this subscription when it was last asked. */
  #atEnd = false;

  constructor(
    private readonly client: EventStoreClient,
    private readonly feed: Feed,
    private readonly filter: StreamFilter,
    position: Position,
    private readonly idle: number,
  ) {
    this.#position = position;
  }

  /** Ends on `signal`, and with the feed's error once all that it gave has been delivered. */
  async *batches(size: number, signal: AbortSignal): AsyncGenerator<Batch> {
    let told = { position: this.#position, caughtUp: false };
    let since = Date.now();
    while (!signal.aborted) {
      this.#drain(size);
      const gathers =
        !this.#live && this.#events.length < size && !this.feed.error && Date.now() - since < LONGEST_LINGER;
      if (gathers && (await this.feed.wait(LINGER, signal))) continue;
      if (this.#live && this.#events.length === 0 && !this.#atEnd && !this.feed.error) await this.#lookAhead(signal);
      if (signal.aborted) return;
      const batch = { events: this.#events, position: this.#position, caughtUp: this.#live && this.#atEnd };
      if (batch.events.length > 0 || batch.position !== told.position || (batch.caughtUp && !told.caughtUp)) {
        this.#events = [];
        told = batch;
        yield batch;
        since = Date.now();
      } else if (this.feed.error) {
        throw this.feed.error;
      } else if (!(await this.feed.wait(this.idle, signal))) {
        this.#atEnd = false;
      }
    }
  }

  #drain(size: number): void {
    while (this.#events.length < size) {
      const signal = this.feed.take();
      if (!signal) return;
      if (signal.kind === 'caught-up') this.#live = true;
      else if (signal.kind === 'fell-behind') this.#live = false;
      else if (signal.kind === 'event') this.#add(decodeEvent(signal.record));
      else if (isKnown(signal.position)) this.#pass(formatPosition(signal.position));
    }
  }

  #add(event: StoredEvent): void {
    if (event.position <= this.#position) return;
    this.#events.push(event);
    this.#position = event.position;
    this.#atEnd = false;
  }

  /** A checkpoint: events have gone by that do not match. */
  #pass(position: Position): void {
    if (position <= this.#position) return;
    this.#position = position;
    this.#atEnd = false;
  }

  /**
   * Reads the log itself behind the position, up to the first event that matches: that one will come by the feed, those
   * before it never will. A checkpoint comes only every so many events, so the position would otherwise rest behind the
   * end of the log for as long as nothing matches, and "caught up" would be a guess while events are on their way.
   */
  async #lookAhead(signal: AbortSignal): Promise<void> {
    const from = this.#position;
    let unread = CHECKPOINT_INTERVAL;
    try {
      const ahead = this.client.readAll({
        from: parsePosition(from) ?? 'start',
        direction: 'forwards',
        count: CHECKPOINT_INTERVAL,
        signal,
      });
      for await (const { stream, position } of ahead) {
        unread -= 1;
        const at = formatPosition(position);
        if (at <= from) continue;
        if (this.filter.matches(stream)) return;
        this.#position = at;
      }
      this.#atEnd = unread > 0;
    } catch {
      // A broken connection breaks the feed too, which starts anew then; any other reason passes until the next look.
    }
  }
}
