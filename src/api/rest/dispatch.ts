/** Routes requests to operations, and responds to other methods of their paths. */
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../core/errors.js';
import type { Feed } from '../core/feed.js';
import type { Subscriptions } from '../core/subscriptions.js';
import type { Operation, ProblemType } from '../core/operation.js';
import { feedHandler } from './feeds.js';
import { operationHandler, type RouteOptions } from './route.js';
import { createRouteTable } from './route-table.js';

export interface DispatchOptions extends Omit<RouteOptions, 'operation'> {
  readonly operations: readonly Operation[];
  readonly feeds: readonly Feed[];
  readonly subscriptions: Subscriptions;
}

const PREFIX = '/api';

/** The prefix is not case-sensitive; the rest of the path is. */
function pathOf({ path }: Request): string {
  const prefix = path.slice(0, PREFIX.length);
  return prefix !== PREFIX && prefix.toLowerCase() === PREFIX ? PREFIX + path.slice(PREFIX.length) : path;
}

/** Handles requests to operations and feeds; passes other requests on. */
export function dispatch({ operations, feeds, subscriptions, ...routing }: DispatchOptions): RequestHandler {
  const table = createRouteTable<RequestHandler>();
  const reading = new Map(
    operations.flatMap((operation) => (operation.rest.method === 'get' ? [[operation.rest.path, operation]] : [])),
  );
  const streaming = new Map(feeds.map((feed) => [feed.path, feed]));
  for (const feed of feeds)
    if (!reading.has(feed.path))
      table.add('GET', PREFIX + feed.path, feedHandler({ feed, isStreamOnly: true, subscriptions, ...routing }));
  for (const operation of operations) {
    const { method, path } = operation.rest;
    const answer = operationHandler({ operation, ...routing });
    const feed = method === 'get' ? streaming.get(path) : undefined;
    const stream = feed && feedHandler({ feed, isStreamOnly: false, subscriptions, ...routing });
    table.add(
      method.toUpperCase(),
      PREFIX + path,
      stream
        ? (request, response, next) => void stream(request, response, () => void answer(request, response, next))
        : answer,
    );
  }
  return (request, response, next) => {
    const match = table.find(request.method === 'HEAD' ? 'GET' : request.method, pathOf(request));
    if (!match) return next();
    request.params = match.params;
    void match.target(request, response, next);
  };
}

interface Resource {
  readonly path: string;
  readonly methods: string[];
  announced: Readonly<Record<string, string>>;
  problemType: ProblemType | undefined;
}

/**
 * Responds to a known path with another method with 405 and the allowed methods. OPTIONS returns these methods and the
 * headers that the operations announce.
 */
export function refuseOtherMethods(operations: readonly Operation[], refusalLimit: RequestHandler): RequestHandler {
  const resources = new Map<string, Resource>();
  for (const { rest } of operations) {
    const { path, method, announces, problemType } = rest;
    const resource = resources.get(path) ?? { path, methods: [], announced: {}, problemType: undefined };
    resource.methods.push(method.toUpperCase());
    resource.announced = { ...resource.announced, ...announces };
    resource.problemType = problemType ?? resource.problemType;
    resources.set(path, resource);
  }
  const table = createRouteTable<Resource>();
  for (const resource of resources.values()) table.add('GET', PREFIX + resource.path, resource);
  const named = namesByPath(operations);
  return (request, response, next) => {
    const resource = table.find('GET', pathOf(request))?.target;
    if (!resource) return next();
    const { path, methods, announced, problemType } = resource;
    const allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ');
    void refusalLimit(request, response, (refusal?: unknown) => {
      if (refusal) return next(refusal);
      if (request.method === 'OPTIONS')
        return void response
          .status(204)
          .set({ ...announced, Allow: `${allow}, OPTIONS` })
          .end();
      response.locals['problemType'] = problemType;
      next(
        new ApiError('METHOD_NOT_ALLOWED', {
          params: { method: request.method, allowed: named(path) },
          headers: { Allow: allow },
        }),
      );
    });
  };
}

/** Lists the operations of a path and the actions on its resource: `GET (order), POST /cancel (orderCancel)`. */
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
