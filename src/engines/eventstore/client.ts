/**
 * The client library behind our own terms. No other file imports it, so that its successor
 * (`@kurrent/kurrentdb-client`, same names) can take its place.
 *
 * Versions 6.x keep the pending calls of `BatchAppend` in one map for the whole process: an error of one connection
 * rejects the appends of all others, and an answer that comes afterwards throws inside a stream handler, where nobody
 * can catch it. The library takes the plain `Append` call, which has a deadline and shares nothing, when credentials
 * are given with the call; so they are, wherever there are any. That costs about 0.1 ms of CPU more for an append, and
 * no append can end the process. Only a TLS connection without a user in its address (client certificates) is left with
 * `BatchAppend`: use one such log in a process.
 */
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  jsonEvent,
  NO_STREAM,
  START,
  streamNameFilter,
  type StreamingRead,
} from '@eventstore/db-client';
import {
  AppendTooLarge,
  type AppendOutcome,
  type JsonObject,
  type Revision,
  type StoredEvent,
  type StreamAppend,
} from '../../events/core/log.js';
import { decodeEvent, encodeMetadata, ForeignEvent, sizeOf, type EventRecord } from './codec.js';
import { Feed } from './feed.js';
import { formatPosition, isKnown, type LogPosition } from './position.js';
import { withTimeout } from './retry.js';
import { inTime } from '../in-time.js';
import { ALL_STREAMS, type StreamFilter } from './filter.js';

/** Milliseconds; whatever is open. */
const CLOSE_MS = 900;

/** Events considered between two checkpoints of a filtered subscription. */
export const CHECKPOINT_INTERVAL = 128;

export interface ReadAll {
  readonly from: LogPosition | 'start' | 'end';
  readonly direction: 'forwards' | 'backwards';
  readonly count: number;
  /** Makes the read fail at once. */
  readonly signal?: AbortSignal;
}

export class EventStoreClient {
  readonly #client: EventStoreDBClient;
  readonly #credentials: { readonly username: string; readonly password: string } | undefined;
  /** Milliseconds: for an append, and for a read from one event to the next. */
  readonly #timeout: number;

  constructor(url: string, timeout: number) {
    this.#client = soundClient(EventStoreDBClient.connectionString(url));
    this.#credentials = credentialsOf(url);
    this.#timeout = timeout;
  }

  async append({ stream, events, expected }: StreamAppend): Promise<AppendOutcome> {
    const proposed = events.map((event) =>
      jsonEvent({
        id: event.id,
        type: event.type,
        data: JSON.parse(event.json) as JsonObject,
        metadata: encodeMetadata(event),
      }),
    );
    try {
      const { nextExpectedRevision, position } = await this.#client.appendToStream(stream, proposed, {
        expectedRevision: expected === 'no-stream' ? NO_STREAM : BigInt(expected),
        requiresLeader: true,
        deadline: this.#timeout,
        ...(this.#credentials && { credentials: this.#credentials }),
      });
      const revision = Number(nextExpectedRevision);
      return {
        outcome: 'appended',
        revision,
        position: isKnown(position) ? formatPosition(position) : (await this.#eventAt(stream, revision)).position,
      };
    } catch (error) {
      const { type, actualVersion, maxAppendSize } = error as {
        type?: string;
        actualVersion?: bigint | 'no_stream';
        maxAppendSize?: number;
      };
      if (type === 'wrong-expected-version')
        return { outcome: 'conflict', actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : -1 };
      if (type === 'maximum-append-size-exceeded')
        throw new AppendTooLarge(
          stream,
          events.reduce((sum, event) => sum + sizeOf(event), 0),
          maxAppendSize ?? 0,
        );
      throw error;
    }
  }

  /** A stream's events from a revision on, as its leader has them; nothing for a stream that does not exist. */
  async *readStream(stream: string, from: Revision, count = Number.MAX_SAFE_INTEGER): AsyncGenerator<StoredEvent> {
    const reading = this.#client.readStream(stream, {
      fromRevision: BigInt(from),
      maxCount: count,
      requiresLeader: true,
    });
    try {
      for await (const { event } of this.#items(reading)) {
        if (event) yield decodeEvent(event as EventRecord);
      }
    } catch (error) {
      if ((error as { type?: string }).type !== 'stream-not-found') throw error;
    }
  }

  /** The log itself, system events included, from a position (inclusive when forwards). */
  async *readAll({
    from,
    direction,
    count,
    signal,
  }: ReadAll): AsyncGenerator<{ readonly stream: string; readonly position: LogPosition }> {
    const reading = this.#client.readAll({
      fromPosition: from === 'start' ? START : from === 'end' ? END : from,
      direction: direction === 'forwards' ? FORWARDS : BACKWARDS,
      maxCount: count,
      requiresLeader: true,
    });
    for await (const { event } of this.#items(reading, signal)) {
      if (event) yield { stream: event.streamId, position: event.position };
    }
  }

  /**
   * Everything behind `from` (exclusive) that passes the filter, live; `buffer` events are read ahead. Ends with the
   * first error.
   */
  subscribe(from: LogPosition | undefined, filter: StreamFilter, buffer: number): Feed {
    const feed = new Feed();
    const common = {
      maxSearchWindow: CHECKPOINT_INTERVAL,
      checkpointInterval: 1,
      checkpointReached: (_: unknown, position: LogPosition) => feed.mark({ kind: 'checkpoint', position }),
    };
    const serverFilter = filter.prefixes
      ? streamNameFilter({ ...common, prefixes: [...filter.prefixes] })
      : streamNameFilter({ ...common, regex: ALL_STREAMS });
    feed.attach(
      this.#client.subscribeToAll({ fromPosition: from ?? START, filter: serverFilter }, { highWaterMark: buffer }),
    );
    return feed;
  }

  async close(): Promise<void> {
    await inTime(this.#client.dispose(), CLOSE_MS);
  }

  async #eventAt(stream: string, revision: Revision): Promise<StoredEvent> {
    for await (const event of this.readStream(stream, revision, 1)) return event;
    throw new Error(`${stream} has no event ${revision}, though the server said so.`);
  }

  async *#items<T>(reading: StreamingRead<T>, signal?: AbortSignal): AsyncGenerator<T> {
    // The library may report an error after the reader has left; unheard, it would end the process.
    reading.on('error', () => undefined);
    const iterator = reading[Symbol.asyncIterator]() as AsyncIterator<T>;
    const abort = (): unknown => reading.destroy(new Error('The read was aborted.'));
    signal?.addEventListener('abort', abort);
    try {
      for (;;) {
        const next = await withTimeout(iterator.next(), this.#timeout);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      reading.cancel().catch(() => undefined);
      // What is in its buffer would keep it, and whoever waits for its end, for ever.
      reading.destroy();
    }
  }
}

/**
 * The library looks for another node after an error, and nobody hears where that fails: while a cluster has no leader
 * for some minutes, the rejection would end the process (6.2.1). The call that met the error fails with it all the same,
 * and the next one looks again.
 */
function soundClient(client: EventStoreDBClient): EventStoreDBClient {
  const inner = client as unknown as { handleError: (grpc: unknown, error: Error) => Promise<void> };
  const { handleError } = inner;
  inner.handleError = (grpc, error) => handleError(grpc, error).catch(() => undefined);
  return client;
}

/** Errors that another attempt would meet again. */
const PERMANENT = new Set([
  'access-denied',
  'invalid-argument',
  'invalid-transaction',
  'missing-required-metadata-property',
  'stream-deleted',
  'unsupported',
]);

/**
 * Everything that is not known to be permanent may pass: the server may restart, elect a leader, or the connection come
 * back.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof AppendTooLarge || error instanceof ForeignEvent || error instanceof RangeError) return false;
  return !PERMANENT.has((error as { type?: string } | undefined)?.type ?? '');
}

/** User and password of the address; on an insecure connection the library sends none, so any will do. */
function credentialsOf(url: string): { readonly username: string; readonly password: string } | undefined {
  const [, username, password] = /^esdb(?:\+discover)?:\/\/([^:@/]+):([^@/]+)@/.exec(url) ?? [];
  if (username !== undefined && password !== undefined)
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return /[?&]tls=false(&|$)/i.test(url) ? { username: 'anonymous', password: 'anonymous' } : undefined;
}
