/** The HTTP application: middleware of every request, then operations, pages and other interfaces. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { compressResponses } from '../core/compression.js';
import { isCounted } from '../core/uncounted-requests.js';
import { ApiError } from '../core/errors.js';
import { networkOf } from '../../engines/network-of.js';
import { isFailure, sendProblem, toApiError } from '../core/problem.js';
import { createFairQueue } from '../core/fair-queue.js';
import { accessLog } from './access-log.js';
import { inOrder } from './in-order.js';
import { dispatch, refuseOtherMethods, type DispatchOptions } from './dispatch.js';

export interface AppOptions extends DispatchOptions {
  /** Pages and documents in addition to the operations: health, metrics, OpenAPI. */
  readonly pages: express.Router;
  /** Other interfaces to the operations, with separate paths. */
  readonly views?: readonly express.Router[];
  /** Applies the rate limit to requests that reach no operation. */
  readonly refusalLimit: RequestHandler;
  /** Whether the origin of a request may call its path from a browser. */
  readonly isAllowedOrigin: (request: Request) => boolean;
  readonly trustProxy: boolean | number | string;
  readonly logger: Logger;
  /** Whether each request is logged, not only server errors. */
  readonly accessLogged: boolean;
  readonly observe: (method: string, route: string, status: number, seconds: number) => void;
}

export function createApp({
  operations,
  feeds,
  subscriptions,
  pages,
  views = [],
  refusalLimit: atDoor,
  isAllowedOrigin: mayAsk,
  trustProxy,
  logger,
  accessLogged,
  observe,
  ...routing
}: AppOptions): Express {
  const app = express();
  app.set('trust proxy', trustProxy);
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  const enqueue = createFairQueue();
  app.use(
    inOrder(
      // No response is needed if the client has disconnected in the meantime.
      (request, response, next) => {
        // Computed once: Express evaluates the trusted proxies at each access.
        response.locals['address'] = request.ip ?? '';
        enqueue(networkOf(response.locals['address'] as string), () => response.destroyed || next());
      },
      accessLog(logger, accessLogged),
      stamp(observe, atDoor, mayAsk, routing.baseUrl),
      compressResponses(),
      // First, because most requests are for operations. No page and no other interface shares a path with an
      // operation.
      dispatch({ operations, feeds, subscriptions, ...routing }),
    ),
  );
  app.use(pages);
  for (const view of views) app.use(view);
  app.use(refuseOtherMethods(operations, atDoor));
  app.use(atDoor, (_request, _response, next) =>
    next(new ApiError('NOT_FOUND', { says: 'PATH_UNKNOWN', params: { url: `${routing.baseUrl()}/api/openapi.json` } })),
  );
  app.use(countError(atDoor), answerError(logger, routing.baseUrl));
  return app;
}

/** Security headers of every response; a page replaces the headers that it needs to relax. */
const GUARDS = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
});
/** Sent if the public address is https. One year in seconds. */
const HTTPS_ONLY = 'max-age=31536000';

/** Sets the request id, security headers and open CORS (there are no cookies here), and measures the duration. */
function stamp(
  observe: AppOptions['observe'],
  refusalLimit: RequestHandler,
  isAllowedOrigin: AppOptions['isAllowedOrigin'],
  baseUrl: () => string,
): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    response.locals['requestId'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of GUARDS) response.setHeader(name, value);
    if (baseUrl().startsWith('https:')) response.setHeader('Strict-Transport-Security', HTTPS_ONLY);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader(
      'Access-Control-Expose-Headers',
      'ETag, GS1-CBV-Version, GS1-EPC-Format, GS1-EPCIS-Version, Last-Modified, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Event-Position, X-Request-Id',
    );
    response.on('close', () => {
      const route = (response.locals['route'] as string | undefined) ?? 'other';
      observe(request.method, route, response.statusCode, (performance.now() - started) / 1_000);
    });
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      return void refusalLimit(request, response, (refusal?: unknown) =>
        refusal ? next(refusal) : preflight(response, isAllowedOrigin(request)),
      );
    next();
  };
}

function preflight(response: express.Response, allowed: boolean): void {
  if (!allowed) {
    response.removeHeader('Access-Control-Allow-Origin');
    return void response.status(403).end();
  }
  response.set({
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers':
      'Accept, Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Event-Position, X-MCP-Dry-Run, X-MCP-Profile, X-MCP-Require-Approval, X-MCP-Scopes, X-MCP-Tool-Details, GS1-Capture-Error-Behaviour, GS1-EPCIS-Capture-Error-Behaviour, GS1-EPCIS-Version, GS1-CBV-Version, GS1-EPC-Format',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
}

/**
 * Applies the rate limit to requests that were rejected before they were counted, for instance due to an unreadable
 * path.
 */
const countError =
  (refusalLimit: RequestHandler): ErrorRequestHandler =>
  (refusal, request, response, next) => {
    if (response.headersSent || isCounted(response) || toApiError(refusal).code === 'RATE_LIMITED')
      return next(refusal);
    void refusalLimit(request, response, (limited?: unknown) => next(limited ?? refusal));
  };

function answerError(logger: Logger, baseUrl: () => string): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    const error = toApiError(thrown);
    if (isFailure(error, response))
      logger.error(
        { requestId: response.locals['requestId'] as string, code: error.code, err: error.cause },
        'request failed',
      );
    if (response.headersSent) return void response.destroy();
    sendProblem(error, request, response, baseUrl());
  };
}
