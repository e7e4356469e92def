/** EventStoreDB with the types of the port: appends, reads and subscriptions over one connection. */
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import {
  AppendTooLarge,
  LogUnavailable,
  type AppendOutcome,
  type Position,
  type Revision,
  type StoredEvent,
  type StreamAppend,
} from '../../events/core/log.js';
import { isAccessDenied } from './access-denied.js';
import { Appender, type Limits } from './appender.js';
import { decodeEvent, ForeignEvent, positionOf, streamOf, type EventRecord } from './codec.js';
import { Connection, leave } from './connection.js';
import { Feed } from './feed.js';
import type { StreamFilter } from './filter.js';
import { named } from './messages.js';
import { formatPosition, isKnown, type LogPosition } from './position.js';
import { allRequest, streamRequest, subscriptionRequest, type ReadAll } from './requests.js';

export class EventStoreClient {
  readonly #connection: Connection;
  readonly #appender: Appender;
  /** Maximum milliseconds between two events of a read. */
  readonly #timeout: number;

  constructor(url: string, limits: Limits) {
    this.#connection = new Connection(url);
    this.#appender = new Appender(this.#connection, limits);
    this.#timeout = limits.timeout;
  }

  async append(append: StreamAppend): Promise<AppendOutcome> {
    const answer = await this.#appender.append(append);
    if (answer.outcome === 'conflict') return answer;
    const { revision, position } = answer;
    return {
      outcome: 'appended',
      revision,
      position: isKnown(position) ? formatPosition(position) : (await this.#eventAt(append.stream, revision)).position,
    };
  }

  /** Reads a stream's events from a revision on, from the leader. Empty if the stream does not exist. */
  async *readStream(stream: string, from: Revision, count = Number.MAX_SAFE_INTEGER): AsyncGenerator<StoredEvent> {
    for await (const record of this.#records(streamRequest(stream, from, count))) yield decodeEvent(record);
  }

  /**
   * Reads the log, including system events, from a position (inclusive if forwards). An abort of `signal` fails the
   * read immediately.
   */
  async *readAll(
    all: ReadAll,
    signal?: AbortSignal,
  ): AsyncGenerator<{ readonly stream: string; readonly position: Position }> {
    for await (const record of this.#records(allRequest(all), signal))
      yield { stream: streamOf(record), position: positionOf(record) };
  }

  /**
   * Subscribes to all events after `from` (exclusive) that match the filter. `buffer` events are read ahead. Ends with
   * the first error.
   */
  subscribe(from: LogPosition | undefined, filter: StreamFilter, buffer: number): Feed {
    const request = subscriptionRequest(from, filter);
    return new Feed(
      this.#connection.open('subscribe', (stubs, metadata, options) => stubs.read(request, metadata, options)),
      buffer,
    );
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #eventAt(stream: string, revision: Revision): Promise<StoredEvent> {
    for await (const event of this.readStream(stream, revision, 1)) return event;
    throw new Error(`${stream} has no event ${revision}, although the server reported it.`);
  }

  /** The records that the leader returns for a read. */
  async *#records(request: ReadReq, signal?: AbortSignal): AsyncGenerator<EventRecord> {
    const aborted = (): Error => new Error('The read was aborted.');
    if (signal?.aborted) throw aborted();
    let fail: (error: Error) => void = () => undefined;
    const late = setTimeout(
      () => fail(new LogUnavailable(`EventStoreDB did not respond within ${this.#timeout} ms.`)),
      this.#timeout,
    );
    const abort = (): void => fail(aborted());
    signal?.addEventListener('abort', abort);
    const opening = this.#connection.open(
      'read',
      (stubs, metadata, options) => stubs.read(request, metadata, options),
      { requiresLeader: true },
    );
    let ended = false;
    try {
      const stream = await Promise.race([opening, new Promise<never>((_, reject) => (fail = reject))]);
      fail = (error) => stream.destroy(error);
      for await (const message of stream) {
        late.refresh();
        const record = (message as ReadResp).getEvent()?.getEvent();
        if (record) yield record;
      }
      ended = true;
    } catch (error) {
      throw named(error as Error);
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
      // If the read was abandoned before the stream was open, the stream is closed when it opens.
      if (!ended) opening.then(leave, () => undefined);
    }
  }
}

/** Types of errors that a retry cannot fix. */
const PERMANENT = new Set([
  'invalid-argument',
  'invalid-transaction',
  'missing-required-metadata-property',
  'stream-deleted',
  'unsupported',
]);

/**
 * Errors that are not known to be permanent may be transient: the server may restart, elect a leader, or the connection
 * may recover.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof AppendTooLarge || error instanceof ForeignEvent || error instanceof RangeError) return false;
  if (isAccessDenied(error)) return false;
  return !PERMANENT.has((error as { type?: string } | undefined)?.type ?? '');
}
