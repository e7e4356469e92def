/**
 * Rate limits for requests that reach no operation: pages, documents, preflights, unknown paths, and requests that are
 * rejected earlier.
 */
import type { RequestHandler, Response } from 'express';
import { addressOf } from './client-address.js';
import type { Limit } from './rate-limit.js';

/** Counts a request by the client's address; rejects it with RATE_LIMITED over the limit. */
export const createRefusalLimit =
  (limit: Limit): RequestHandler =>
  (request, response, next) =>
    void limit('read', addressOf(request, response)).then((limitHeaders) => {
      response.set(limitHeaders);
      next();
    }, next);

/** Whether the request was counted. If so, the response has the headers of the remaining limit. */
export const isCounted = (response: Response): boolean => response.hasHeader('RateLimit');

/** Counts a rejected request and returns the error to respond with: the original error, or RATE_LIMITED. */
export const countRefused = (refusal: unknown, count: () => Promise<unknown>): Promise<unknown> =>
  count().then(
    () => refusal,
    (limited: unknown) => limited,
  );
