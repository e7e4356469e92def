/** What no operation counts: pages, documents, preflights, addresses that are not there, and what is refused on its way. */
import type { RequestHandler, Response } from 'express';
import type { Limit } from './rate-limit.js';

/** Counts a request of an address; refuses it with RATE_LIMITED. */
export const createDoor =
  (limit: Limit): RequestHandler =>
  (request, response, next) =>
    void limit('read', request.ip ?? '').then((left) => {
      response.set(left);
      next();
    }, next);

/** Whether the request was counted: then the answer says what is left. */
export const isCounted = (response: Response): boolean => response.hasHeader('RateLimit');

/** What a refused request is answered with once it is counted: its own refusal, or RATE_LIMITED. */
export const countRefused = (refusal: unknown, count: () => Promise<unknown>): Promise<unknown> =>
  count().then(
    () => refusal,
    (limited: unknown) => limited,
  );
