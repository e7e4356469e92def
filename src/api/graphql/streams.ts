/** Subscriptions over server-sent events, with the protocol of graphql-sse ("distinct connections"). */
import type { Request, Response } from 'express';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { OperationArgs } from 'graphql-sse';
import { createHandler } from 'graphql-sse/lib/use/express';
import type { Logger } from 'pino';
import { pathOf } from '../core/authenticate.js';
import type { Caller } from '../core/callers.js';
import type { Subscriptions } from '../core/subscriptions.js';
import { formatResult, errorContextOf } from './response.js';
import type { Subscribe } from './schema.js';

export type Streams = ReturnType<typeof createStreams>;

export function createStreams({
  subscriptions,
  logger,
}: {
  readonly subscriptions: Subscriptions;
  readonly logger: Logger;
}) {
  const resultOf = (request: Request, response: Response, result: ExecutionResult): ExecutionResult =>
    formatResult(result, errorContextOf(request, response), logger) as ExecutionResult;

  const handler = createHandler({
    // The body is already read and the document checked; the arguments of the execution are stored with the response.
    onSubscribe: ({ context }) => (context.res as unknown as Response).locals['subscription'] as OperationArgs<never>,
    validate: () => [],
    onNext: (_context, { raw, context }, result) =>
      resultOf(raw as unknown as Request, context.res as unknown as Response, result as ExecutionResult),
  });

  return {
    /** Responds with a stream until the client disconnects or the service stops. Throws RATE_LIMITED. */
    async serve(
      request: Request,
      response: Response,
      { caller, args }: { readonly caller: Caller; readonly args: (subscribe: Subscribe) => ExecutionArgs },
    ): Promise<void> {
      const gone = new AbortController();
      const address = request.ip ?? '';
      subscriptions.reserve(caller, address, gone.signal);
      response.once('close', () => gone.abort());
      // Stopping the server waits for open connections, and this one would be kept alive for a next request.
      response.once('finish', () => subscriptions.stopping.aborted && request.socket.end());
      response.locals['subscription'] = args(async (feed, input) => {
        const { events } = await subscriptions.open(feed, input, {
          authorization: request.headers.authorization,
          path: pathOf(request),
          address,
          disconnected: gone.signal,
        });
        return (async function* () {
          for await (const moment of events) for (const { data } of moment) yield data;
        })();
      });
      // Prevents proxies from buffering events, and a second negotiation of the media type.
      response.setHeader('X-Accel-Buffering', 'no');
      request.headers.accept = 'text/event-stream';
      await handler(request as never, response as never);
    },
  };
}
