/**
 * The transport of version 2024-11-05. A GET opens a stream of server-sent events, which begins with an address for
 * messages. Messages to that address can reach any process; the responses are sent on the stream. It works without
 * sticky sessions of a load balancer: see `McpStreams`.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { McpStreams } from '../../engines/postgres/mcp-streams.js';
import { pathOf } from '../core/authenticate.js';
import { principalOf, type Caller } from '../core/callers.js';
import { ApiError } from '../core/errors.js';
import type { Subscriptions } from '../core/subscriptions.js';
import type { Parts } from '../core/parts.js';
import type { AdmittedRequest } from './gate.js';
import { SESSION } from './session.js';
import type { McpServing } from './server.js';

/** Maximum age of a stream; the client then opens a new one. Milliseconds. */
const MAX_AGE_MS = 60 * 60_000;
/**
 * Streams without a message are closed after this time: clients of 2025-03-26 open one that they never use, and the
 * service cannot distinguish them. Milliseconds.
 */
const FIRST_MESSAGE_MS = 60_000;

export interface OldTransport {
  /** Responds with a stream until either side ends it; throws RATE_LIMITED. */
  open(caller: Caller, request: Request, response: Response): Promise<void>;
  /** Accepts a message and sends the response on its stream. Throws NOT_FOUND if the caller has no such stream. */
  take(stream: string, passed: AdmittedRequest, request: Request): Promise<void>;
}

/** Later clients also request a stream, but with their version, and continue without one. */
export const asksForStream = (request: Request): boolean =>
  (request.get('accept') ?? '').includes('text/event-stream') &&
  request.get('mcp-protocol-version') === undefined &&
  request.get('mcp-session-id') === undefined;

export function createOldTransport({
  streams,
  subscriptions,
  authenticate,
  serving,
  baseUrl,
  onError,
}: Parts<'authenticate' | 'baseUrl' | 'onError'> & {
  streams: McpStreams;
  subscriptions: Subscriptions;
  serving: McpServing;
}): OldTransport {
  const ownerOf = (caller: Caller, request: Request): string => principalOf(caller) ?? `address:${request.ip ?? ''}`;
  /** Streams of this process that have received a response. */
  const used = new Set<string>();
  const ends = new Set<() => void>();
  subscriptions.stopping.addEventListener('abort', () => ends.forEach((end) => end()), { once: true });

  async function beat(stream: string, request: Request, response: Response, end: () => void): Promise<void> {
    const opened = performance.now();
    const { authorization } = request.headers;
    for (let age = 0; age < MAX_AGE_MS && !response.closed; age = performance.now() - opened) {
      // Prevents proxies from closing a silent stream, and ends the stream soon after its access is revoked.
      await sleep(streams.beatMs, undefined, { ref: false });
      if (age > FIRST_MESSAGE_MS && !used.has(stream)) break;
      const isStillAllowed = await authenticate(authorization, pathOf(request)).then(
        () => true,
        (error: unknown) => !(error instanceof ApiError) || error.status >= 500,
      );
      if (!isStillAllowed || response.closed) break;
      response.write(': still here\n\n');
      await streams.keepAlive().catch(() => undefined);
    }
    end();
  }

  return {
    async open(caller, request, response) {
      const disconnected = new AbortController();
      const stream = randomBytes(32).toString('base64url');
      const end = () => {
        used.delete(stream);
        ends.delete(end);
        disconnected.abort();
        response.end();
      };
      response.once('close', end);
      ends.add(end);
      subscriptions.reserve(caller, request.ip ?? '', disconnected.signal);
      const send = (event: string, data: string) => response.write(`event: ${event}\ndata: ${data}\n\n`);
      await streams.hold(
        stream,
        ownerOf(caller, request),
        (answer) => {
          used.add(stream);
          send('message', answer);
        },
        disconnected.signal,
      );
      response
        .status(200)
        .set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
      send('endpoint', `${new URL(baseUrl()).pathname.replace(/\/$/, '')}${pathOf(request)}?${SESSION}=${stream}`);
      void beat(stream, request, response, end);
    },

    async take(stream, { connection, message }, request) {
      if (!(await streams.isOpen(stream, ownerOf(connection.caller, request)))) throw new ApiError('NOT_FOUND');
      const webRequest = new globalThis.Request(baseUrl() + pathOf(request), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify(message),
      });
      void answer(stream, webRequest, message, connection);
    },
  };

  /**
   * Runs after the response 202. Errors are sent on the stream. If the database does not accept them they are lost, and
   * the client times out.
   */
  async function answer(
    stream: string,
    webRequest: globalThis.Request,
    ...[message, connection]: [unknown, AdmittedRequest['connection']]
  ) {
    try {
      const text = await (await serving.serve(webRequest, message, connection)).text();
      if (text !== '') await streams.answer(stream, text);
    } catch (error) {
      onError(error);
    }
  }
}
