/** The HTTP application: what every request passes, then the operations as routes. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { compressResponses } from '../core/compression.js';
import { isCounted } from '../core/door.js';
import { ApiError } from '../core/errors.js';
import type { Feed } from '../core/feed.js';
import type { Following } from '../core/following.js';
import type { Operation, ProblemType } from '../core/operation.js';
import { networkOf } from '../../engines/network-of.js';
import { sendProblem, toApiError } from '../core/problem.js';
import { createTurns } from '../core/turns.js';
import { accessLog } from './access-log.js';
import { mountFeed } from './feeds.js';
import { mountOperation, type RouteOptions } from './route.js';

export interface AppOptions extends Omit<RouteOptions, 'operation'> {
  readonly operations: readonly Operation[];
  readonly feeds: readonly Feed[];
  readonly following: Following;
  /** Pages and documents in addition to the operations: health, metrics, OpenAPI. */
  readonly pages: express.Router;
  /** Other views of the operations, at addresses of their own. */
  readonly views?: readonly express.Router[];
  /** Counts a request of an address that no operation counts. */
  readonly atDoor: RequestHandler;
  /** Whether the page that a request comes from may ask at its address. */
  readonly mayAsk: (request: Request) => boolean;
  readonly trustProxy: boolean | number | string;
  readonly logger: Logger;
  /** Whether each request gets a line in the log, not only what failed. */
  readonly accessLogged: boolean;
  readonly observe: (method: string, route: string, status: number, seconds: number) => void;
}

export function createApp({
  operations,
  feeds,
  following,
  pages,
  views = [],
  atDoor,
  mayAsk,
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
  const inTurn = createTurns();
  // Whoever hung up meanwhile needs no answer.
  app.use((request, response, next) => inTurn(networkOf(request.ip ?? ''), () => response.destroyed || next()));
  app.use(accessLog(logger, accessLogged));
  app.use(stamp(observe, atDoor, mayAsk, routing.baseUrl));
  app.use(compressResponses());
  app.use(pages);
  for (const view of views) app.use(view);
  const api = express.Router({ caseSensitive: true });
  for (const feed of feeds) {
    const alone = !operations.some(({ rest }) => rest.path === feed.path && rest.method === 'get');
    mountFeed(api, { feed, alone, following, ...routing });
  }
  for (const operation of operations) mountOperation(api, { operation, ...routing });
  refuseOtherMethods(api, operations, atDoor);
  app.use('/api', api);
  app.use(atDoor, (_request, _response, next) => next(new ApiError('NOT_FOUND')));
  app.use(countError(atDoor), answerError(logger, routing.baseUrl));
  return app;
}

/** The headers that every answer has for browsers; a page adds what it may do beyond that. */
const GUARDS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;
/** A year, where the public address is https. */
const HTTPS_ONLY = 'max-age=31536000';

/** A request id on everything, open CORS (there are no cookies here), and how long it took. */
function stamp(
  observe: AppOptions['observe'],
  atDoor: RequestHandler,
  mayAsk: AppOptions['mayAsk'],
  baseUrl: () => string,
): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    response.locals['requestId'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value);
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
      return void atDoor(request, response, (refusal?: unknown) =>
        refusal ? next(refusal) : preflight(response, mayAsk(request)),
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
 * A known path with another method is 405 with the methods that it has; OPTIONS gets these, and what the operation
 * announces.
 */
function refuseOtherMethods(api: express.Router, operations: readonly Operation[], atDoor: RequestHandler): void {
  const methods = new Map<string, string[]>();
  const announced = new Map<string, Readonly<Record<string, string>>>();
  const problemTypes = new Map<string, ProblemType>();
  for (const { rest } of operations) {
    methods.set(rest.path, [...(methods.get(rest.path) ?? []), rest.method.toUpperCase()]);
    announced.set(rest.path, { ...announced.get(rest.path), ...rest.announces });
    if (rest.problemType) problemTypes.set(rest.path, rest.problemType);
  }
  const named = namesByPath(operations);
  for (const [path, allowed] of methods) {
    const allow = (allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed).join(', ');
    api.options(
      path,
      atDoor,
      (_request, response) =>
        void response
          .status(204)
          .set({ ...announced.get(path), Allow: `${allow}, OPTIONS` })
          .end(),
    );
    api.all(path, atDoor, (_request, response, next) => {
      response.locals['problemType'] = problemTypes.get(path);
      next(new ApiError('METHOD_NOT_ALLOWED', { params: { allowed: named(path) }, headers: { Allow: allow } }));
    });
  }
}

/** What a path offers, and what is done to the resource at it: `GET (order), POST /cancel (orderCancel)`. */
function namesByPath(operations: readonly Operation[]): (path: string) => string {
  return (path) =>
    operations
      .filter(({ rest }) => rest.path === path || (rest.method === 'post' && isAction(rest.path, path)))
      .map(({ name, rest }) => [rest.method.toUpperCase(), rest.path.slice(path.length), `(${name})`])
      .map((words) => words.filter((word) => word !== '').join(' '))
      .join(', ');
}

const isAction = (path: string, of: string): boolean =>
  path.startsWith(`${of}/`) && /^[a-z-]+$/.test(path.slice(of.length + 1));

/** What was refused before anything counted it, a path that cannot be read for instance. */
const countError =
  (atDoor: RequestHandler): ErrorRequestHandler =>
  (refusal, request, response, next) => {
    if (response.headersSent || isCounted(response) || toApiError(refusal).code === 'RATE_LIMITED')
      return next(refusal);
    void atDoor(request, response, (limited?: unknown) => next(limited ?? refusal));
  };

function answerError(logger: Logger, baseUrl: () => string): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    const error = toApiError(thrown);
    if (error.status >= 500)
      logger.error(
        { requestId: response.locals['requestId'] as string, code: error.code, err: error.cause },
        'request failed',
      );
    if (response.headersSent) return void response.destroy();
    sendProblem(error, request, response, baseUrl());
  };
}
