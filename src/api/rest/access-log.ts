/**
 * One line for each request: the route and not the address, the caller's id and not a name, so that a log holds neither
 * numbers of parcels nor people.
 */
import { context } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

/** Asked every few seconds by machines, about the process and not about anything in it. */
const PROBES = /^\/(health|metrics)(\/|$)/;

/** `every`: also what went well; else only what failed on our side (and all at the level `debug`). */
export function accessLog(logger: Logger, every: boolean): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    // The response may end outside of the request's trace, whose id the line has.
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

function levelOf(request: Request, { statusCode }: Response, every: boolean): 'debug' | 'info' | 'warn' | 'error' {
  if (statusCode < 500 && !every) return 'debug';
  const probe = PROBES.test(request.path);
  // A probe that is told "not ready" is answered: what is wrong has a line of its own.
  if (statusCode >= 500) return probe ? 'warn' : 'error';
  return probe ? 'debug' : 'info';
}

const lineOf = (response: Response, milliseconds: number): object => ({
  requestId: response.locals['requestId'] as string,
  method: response.req.method,
  route: (response.locals['route'] as string | undefined) ?? 'other',
  status: response.statusCode,
  ms: milliseconds,
  ...(response.locals['caller'] !== undefined && { caller: response.locals['caller'] as string }),
  // The reader left before the answer was whole.
  ...(!response.writableFinished && { aborted: true }),
});
