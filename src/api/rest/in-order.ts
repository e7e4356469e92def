/** Several handlers as one layer of Express, each of which costs a match of its path and a closure. */
import type { RequestHandler } from 'express';

/** Calls the handlers one after the other. What one throws, now or in a later turn of the event loop, ends the chain. */
export const inOrder =
  (...handlers: readonly RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    let index = 0;
    const step = (error?: unknown): void => {
      const handler = error === undefined ? handlers[index++] : undefined;
      if (!handler) return next(error);
      try {
        void handler(request, response, step);
      } catch (thrown) {
        next(thrown);
      }
    };
    step();
  };
