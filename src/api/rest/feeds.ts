/** A feed as server-sent events (WHATWG EventSource): each event has a cursor from which the client can continue. */
import type { Request, RequestHandler, Response } from 'express';
import Negotiator from 'negotiator';
import { pathOf, type Authenticate } from '../core/authenticate.js';
import type { Limit } from '../core/rate-limit.js';
import { principalOf } from '../core/callers.js';
import { ApiError } from '../core/errors.js';
import { authorize } from '../core/invoke.js';
import type { Feed, FeedEvent } from '../core/feed.js';
import type { Subscriptions } from '../core/subscriptions.js';
import type { Operation } from '../core/operation.js';
import { placementOf, readInput } from './input.js';

export interface FeedOptions {
  readonly feed: Feed;
  /** No operation handles GET of its path. */
  readonly isStreamOnly: boolean;
  readonly subscriptions: Subscriptions;
  readonly authenticate: Authenticate;
  /** Throws RATE_LIMITED. */
  readonly limit: Limit;
}

const EVENT_STREAM = 'text/event-stream';
/** Delay after which a client reconnects, in milliseconds. */
const RETRY_MS = 3_000;
/** Interval of comments: proxies close connections that are silent for a long time. */
const COMMENT_MS = 12_000;
/**
 * A client with more unsent bytes at the next events is disconnected, so that the process does not run out of memory.
 * Bytes.
 */
const MAX_UNSENT = 65_536;

const sse = (event: string, data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Events for many recipients are serialized once: the bytes of each array that a feed yields. */
const serialized = new WeakMap<readonly FeedEvent[], Buffer>();

function serialize(batch: readonly FeedEvent[]): Buffer {
  const text =
    serialized.get(batch) ?? Buffer.from(batch.map(({ cursor, event, data }) => sse(event, data, cursor)).join(''));
  serialized.set(batch, text);
  return text;
}

/**
 * Responds with the feed. If an operation has the same path (`isStreamOnly` is false), requests that do not accept a
 * stream are passed on to it.
 */
export function feedHandler({ feed, isStreamOnly, subscriptions, authenticate, limit }: FeedOptions): RequestHandler {
  const { path, input } = feed;
  const asOperation = { ...feed, rest: { method: 'get', path } } as unknown as Operation;
  const placement = placementOf(asOperation);

  async function serve(request: Request, response: Response): Promise<void> {
    response.locals['route'] = `/api${path}`;
    const address = request.ip ?? '';
    const { authorization } = request.headers;
    const caller = await authenticate(authorization, pathOf(request)).catch(async (refusal: unknown) => {
      response.set(await limit('read', address));
      throw refusal;
    });
    response.set(await limit('read', principalOf(caller) ?? address));
    authorize(asOperation, caller);
    if (new Negotiator(request).mediaType([EVENT_STREAM]) === undefined) throw onlyStreamed();
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    subscriptions.reserve(caller, address, disconnected.signal);
    const lastEventId = request.get('last-event-id');
    const raw = readInput(asOperation, placement, request);
    try {
      const opened = await subscriptions.open(
        feed,
        lastEventId !== undefined && 'after' in input.shape ? Object.assign(raw, { after: lastEventId }) : raw,
        { authorization, path: pathOf(request), address, disconnected: disconnected.signal },
      );
      await stream(request, response, opened);
    } catch (error) {
      disconnected.abort();
      throw error;
    }
  }

  async function stream(
    request: Request,
    response: Response,
    { cursor, events, endReason }: Awaited<ReturnType<Subscriptions['open']>>,
  ): Promise<void> {
    response.set({ 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    response.vary('Accept, Authorization');
    if (request.method === 'HEAD') return void response.end();
    response.write(`retry: ${RETRY_MS}\n\n${sse('hello', { cursor, server_time: new Date().toISOString() }, cursor)}`);
    const comments = setInterval(() => response.write(':\n\n'), COMMENT_MS);
    // Stopping the server waits for open connections, and this one would be kept alive for a next request.
    response.once('finish', () => subscriptions.stopping.aborted && request.socket.end());
    try {
      let last = cursor;
      for await (const batch of events) {
        if (response.writableLength > MAX_UNSENT) {
          response.write(sse('reset', { cursor: last }));
          break;
        }
        response.write(serialize(batch));
        last = batch.at(-1)!.cursor;
      }
      const reason = endReason();
      if (reason) response.write(sse('end', { reason }));
      response.end();
    } catch {
      // The log failed: the client reconnects with its last cursor.
      response.destroy();
    } finally {
      clearInterval(comments);
    }
  }

  return (request, response, next) => {
    if (isStreamOnly || new Negotiator(request).mediaType(['application/json', EVENT_STREAM]) === EVENT_STREAM)
      return void serve(request, response).catch(next);
    next();
  };
}

const onlyStreamed = (): ApiError =>
  new ApiError('NOT_ACCEPTABLE', {
    params: { allowed: EVENT_STREAM },
    errors: [{ field: 'accept', path: '', code: 'NOT_ACCEPTABLE', params: { allowed: EVENT_STREAM } }],
  });
