/**
 * One line for each request: the route and not the address, the caller's id and not a name, so that a log holds neither
 * numbers of parcels nor people.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';

/** Asked every few seconds by machines, about the process and not about anything in it. */
const PROBES = /^\/(health|metrics)(\/|$)/;

/** `every`: also what went well; else only what failed on our side (and all at the level `debug`). */
export function accessLog(logger: Logger, every: boolean): RequestHandler {
  const line = (_request: Request, response: Response, { responseTime }: { responseTime: number }) => ({
    requestId: response.locals['requestId'] as string,
    method: response.req.method,
    route: (response.locals['route'] as string | undefined) ?? 'other',
    status: response.statusCode,
    ms: responseTime,
    ...(response.locals['caller'] !== undefined && { caller: response.locals['caller'] as string }),
    // The reader left before the answer was whole.
    ...(!response.writableFinished && { aborted: true }),
  });
  return pinoHttp<Request, Response>({
    logger,
    quietResLogger: true,
    // The library's own record of a request has its address and headers.
    wrapSerializers: false,
    serializers: { req: () => undefined },
    customLogLevel: (request, { statusCode }) => {
      const probe = PROBES.test(request.path);
      // A probe that is told "not ready" is answered: what is wrong has a line of its own.
      if (statusCode >= 500) return probe ? 'warn' : 'error';
      return every && !probe ? 'info' : 'debug';
    },
    customSuccessObject: line,
    customErrorObject: (request, response, _error, counted: { responseTime: number }) =>
      line(request, response, counted),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
  });
}
