/**
 * Writes one log line per request. The line has the route instead of the path, and the caller's id instead of a name,
 * so that the log contains neither parcel numbers nor personal data.
 */
import { context } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

/** Probes of the process, which machines send every few seconds. */
const PROBES = /^\/(health|metrics)(\/|$)/;

/**
 * `every`: log each request. Otherwise only server errors are logged, and all other requests only at the level `debug`.
 */
export function accessLog(logger: Logger, every: boolean): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    // The response may end outside the trace of the request, but the line needs its trace id.
    response.once(
      'close',
      context.bind(context.active(), () => {
        const level = levelOf(request, response, every);
        if (logger.isLevelEnabled(level))
          logger[level](lineOf(response, Math.round(performance.now() - started)), 'request');
      }),
    );
    next();
  };
}

function levelOf(
  request: Request,
  { statusCode, locals }: Response,
  every: boolean,
): 'debug' | 'info' | 'warn' | 'error' {
  if (statusCode < 500 && !every) return 'debug';
  const probe = PROBES.test(request.path);
  // A probe with the response "not ready" is not an error: the cause is logged separately. A refusal by design is none.
  if (statusCode >= 500) return probe || locals['isRefusedByDesign'] === true ? 'warn' : 'error';
  return probe ? 'debug' : 'info';
}

const lineOf = (response: Response, milliseconds: number): object => ({
  requestId: response.locals['requestId'] as string,
  method: response.req.method,
  route: (response.locals['route'] as string | undefined) ?? 'other',
  status: response.statusCode,
  ms: milliseconds,
  ...(response.locals['caller'] !== undefined && { caller: response.locals['caller'] as string }),
  // The client disconnected before the response was complete.
  ...(!response.writableFinished && { aborted: true }),
});
