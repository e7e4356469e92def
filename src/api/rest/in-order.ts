/** Combines several handlers into one Express layer: each layer costs a path match and a closure per request. */
import type { RequestHandler } from 'express';

/** Calls the handlers in order. An error ends the chain, whether it is thrown or passed to `next`. */
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
