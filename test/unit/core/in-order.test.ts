import { expect } from 'chai';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { inOrder } from '../../../src/api/rest/in-order.js';

describe('sequential handlers', () => {
  /** The arguments that the next layer of Express receives. */
  const run = (...handlers: readonly RequestHandler[]): Promise<unknown[]> =>
    new Promise((resolve) => void inOrder(...handlers)({} as Request, {} as Response, (...args) => resolve(args)));
  const later: RequestHandler = (_request, _response, next: NextFunction) => void setImmediate(next);
  const fault = new URIError('fault');

  it('run one after the other, and then the next layer', async () => {
    const called: number[] = [];
    const note =
      (number: number): RequestHandler =>
      (_request, _response, next) => {
        called.push(number);
        next();
      };
    expect(await run(note(1), later, note(2), note(3))).to.deep.equal([undefined]);
    expect(called).to.deep.equal([1, 2, 3]);
  });

  it('end with the error of one, also if it throws after an asynchronous one', async () => {
    const never: RequestHandler = () => expect.fail('called after an error');
    const throws: RequestHandler = () => {
      throw fault;
    };
    const reports: RequestHandler = (_request, _response, next) => next(fault);
    for (const failing of [throws, reports])
      for (const handlers of [
        [failing, never],
        [later, failing, never],
      ])
        expect(await run(...handlers)).to.deep.equal([fault]);
  });
});
