/** A feed as server-sent events (WHATWG EventSource): each names the cursor that a client may come back with. */
import type { Request, Response, Router } from 'express';
import Negotiator from 'negotiator';
import { pathOf, type Authenticate } from '../core/authenticate.js';
import type { Limit } from '../core/rate-limit.js';
import { principalOf } from '../core/callers.js';
import { ApiError } from '../core/errors.js';
import { admit } from '../core/invoke.js';
import type { Feed } from '../core/feed.js';
import type { Following } from '../core/following.js';
import type { Operation } from '../core/operation.js';
import { placementOf, readInput } from './input.js';

export interface FeedOptions {
  readonly feed: Feed;
  /** Nothing else answers a GET of its path. */
  readonly alone: boolean;
  readonly following: Following;
  readonly authenticate: Authenticate;
  /** Throws RATE_LIMITED. */
  readonly limit: Limit;
}

const EVENT_STREAM = 'text/event-stream';
/** When a client comes back, in milliseconds. */
const RETRY_MS = 3_000;
/** Proxies close what is silent for long. */
const COMMENT_MS = 12_000;
/** A reader with this many unsent bytes is cut off, so that no process runs out of memory. */
const MAX_UNSENT = 65_536;

const sse = (event: string, data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Before the operations: where one has the same path (`alone` is false), it answers who does not ask for a stream. */
export function mountFeed(router: Router, { feed, alone, following, authenticate, limit }: FeedOptions): void {
  const { path, input } = feed;
  const asOperation = { ...feed, rest: { method: 'get', path } } as unknown as Operation;
  const placement = placementOf(asOperation);

  async function serve(request: Request, response: Response): Promise<void> {
    response.locals['route'] = `/api${path}`;
    const address = request.ip ?? '';
    const { authorization } = request.headers;
    const caller = await authenticate(authorization, pathOf(request)).catch(async (refusal: unknown) => {
      await limit('read', address);
      throw refusal;
    });
    await limit('read', principalOf(caller) ?? address);
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
    // A stop waits for connections, and this one would be kept for a next request.
    response.once('finish', () => following.stopping.aborted && request.socket.end());
    try {
      for await (const { cursor: id, event, data } of events) {
        response.write(sse(event, data, id));
        if (response.writableLength <= MAX_UNSENT) continue;
        response.write(sse('reset', { cursor: id }));
        break;
      }
      const reason = ending();
      if (reason) response.write(sse('end', { reason }));
      response.end();
    } catch {
      // The log broke off: the client comes back with the last cursor.
      response.destroy();
    } finally {
      clearInterval(comments);
    }
  }

  router.get(path, (request, response, next) => {
    if (alone || new Negotiator(request).mediaType(['application/json', EVENT_STREAM]) === EVENT_STREAM)
      return void serve(request, response).catch(next);
    next();
  });
}

const onlyStreamed = (): ApiError =>
  new ApiError('NOT_ACCEPTABLE', {
    params: { allowed: EVENT_STREAM },
    errors: [{ field: 'accept', path: '', code: 'NOT_ACCEPTABLE', params: { allowed: EVENT_STREAM } }],
  });
