/**
 * Subscriptions over server-sent events, by the protocol of graphql-sse ("distinct connections"): so many for each
 * client and in all.
 */
import type { Request, Response } from 'express';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { OperationArgs } from 'graphql-sse';
import { createHandler } from 'graphql-sse/lib/use/express';
import type { Logger } from 'pino';
import { ApiError } from '../core/errors.js';
import { formatResult, tellingOf } from './answer.js';
import { followTracking, type FollowOptions, type Subscribe } from './tracking-events.js';

const MAX_PER_CLIENT = 10;
const MAX_IN_ALL = 1_000;
/** What a client that has too many is told to wait, in seconds. */
const RETRY_SECONDS = 10;

export interface Streamed {
  /** Principal, or address of who has no name. */
  readonly client: string;
  readonly args: (subscribe: Subscribe) => ExecutionArgs;
}

export interface Streams {
  /** Answers with a stream until the client leaves or the service stops. Throws RATE_LIMITED. */
  serve(request: Request, response: Response, streamed: Streamed): Promise<void>;
  /** Ends all of them. */
  stop(): void;
}

export function createStreams(options: FollowOptions & { readonly logger: Logger }): Streams {
  const stopping = new AbortController();
  const clients = new Map<string, number>();
  let open = 0;

  const resultOf = (request: Request, response: Response, result: ExecutionResult): ExecutionResult =>
    formatResult(result, tellingOf(request, response), options.logger) as ExecutionResult;

  const handler = createHandler({
    // Bodies are read and documents checked before; what each request executes stands with its response.
    onSubscribe: ({ context }) => (context.res as unknown as Response).locals['subscription'] as OperationArgs<never>,
    validate: () => [],
    onNext: (_context, { raw, context }, result) =>
      resultOf(raw as unknown as Request, context.res as unknown as Response, result as ExecutionResult),
  });

  function enter(client: string): () => void {
    const mine = clients.get(client) ?? 0;
    if (mine >= MAX_PER_CLIENT || open >= MAX_IN_ALL)
      throw new ApiError('RATE_LIMITED', {
        params: { seconds: RETRY_SECONDS },
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      });
    clients.set(client, mine + 1);
    open += 1;
    return () => {
      open -= 1;
      const left = clients.get(client)! - 1;
      if (left > 0) clients.set(client, left);
      else clients.delete(client);
    };
  }

  return {
    async serve(request, response, { client, args }) {
      const leave = enter(client);
      const gone = new AbortController();
      const signal = AbortSignal.any([gone.signal, stopping.signal]);
      response.once('close', () => {
        gone.abort();
        leave();
      });
      // A stop waits for connections, and this one would be kept for a next request.
      response.once('finish', () => stopping.signal.aborted && request.socket.end());
      response.locals['subscription'] = args((followed) => followTracking(followed, signal, options));
      // Proxies must not hold events back, nor must the media type be negotiated again.
      response.setHeader('X-Accel-Buffering', 'no');
      request.headers.accept = 'text/event-stream';
      await handler(request as never, response as never);
    },
    stop: () => stopping.abort(),
  };
}
