/** A feed as server-sent events (WHATWG EventSource): each event has a cursor from which the client can continue. */
import type { Request, RequestHandler, Response } from 'express';
import Negotiator from 'negotiator';
import { pathOf, type Authenticate } from '../core/authenticate.js';
import type { Limit } from '../core/rate-limit.js';
import { principalOf } from '../core/callers.js';
import { ApiError } from '../core/errors.js';
import { admit } from '../core/invoke.js';
import type { Feed, Told } from '../core/feed.js';
import type { Following } from '../core/following.js';
import type { Operation } from '../core/operation.js';
import { placementOf, readInput } from './input.js';

export interface FeedOptions {
  readonly feed: Feed;
  /** No operation handles GET of its path. */
  readonly alone: boolean;
  readonly following: Following;
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
const known = new WeakMap<readonly Told[], Buffer>();

function written(moment: readonly Told[]): Buffer {
  const text =
    known.get(moment) ?? Buffer.from(moment.map(({ cursor, event, data }) => sse(event, data, cursor)).join(''));
  known.set(moment, text);
  return text;
}

/**
 * Responds with the feed. If an operation has the same path (`alone` is false), requests that do not accept a stream
 * are passed on to it.
 */
export function feedHandler({ feed, alone, following, authenticate, limit }: FeedOptions): RequestHandler {
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
    admit(asOperation, caller);
    if (new Negotiator(request).mediaType([EVENT_STREAM]) === undefined) throw onlyStreamed();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    following.enter(caller, address, gone.signal);
    const lastEventId = request.get('last-event-id');
    const raw = readInput(asOperation, placement, request);
    try {
      const opened = await following.open(
        feed,
        lastEventId !== undefined && 'after' in input.shape ? Object.assign(raw, { after: lastEventId }) : raw,
        { authorization, path: pathOf(request), address, gone: gone.signal },
      );
      await tell(request, response, opened);
    } catch (error) {
      gone.abort();
      throw error;
    }
  }

  async function tell(
    request: Request,
    response: Response,
    { cursor, events, ending }: Awaited<ReturnType<Following['open']>>,
  ): Promise<void> {
    response.set({ 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    response.vary('Accept, Authorization');
    if (request.method === 'HEAD') return void response.end();
    response.write(`retry: ${RETRY_MS}\n\n${sse('hello', { cursor, server_time: new Date().toISOString() }, cursor)}`);
    const comments = setInterval(() => response.write(':\n\n'), COMMENT_MS);
    // Stopping the server waits for open connections, and this one would be kept alive for a next request.
    response.once('finish', () => following.stopping.aborted && request.socket.end());
    try {
      let last = cursor;
      for await (const moment of events) {
        if (response.writableLength > MAX_UNSENT) {
          response.write(sse('reset', { cursor: last }));
          break;
        }
        response.write(written(moment));
        last = moment.at(-1)!.cursor;
      }
      const reason = ending();
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
    if (alone || new Negotiator(request).mediaType(['application/json', EVENT_STREAM]) === EVENT_STREAM)
      return void serve(request, response).catch(next);
    next();
  };
}

const onlyStreamed = (): ApiError =>
  new ApiError('NOT_ACCEPTABLE', {
    params: { allowed: EVENT_STREAM },
    errors: [{ field: 'accept', path: '', code: 'NOT_ACCEPTABLE', params: { allowed: EVENT_STREAM } }],
  });
