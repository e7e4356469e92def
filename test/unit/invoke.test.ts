/** The way of every call: nobody waits for ever. */
import { expect } from 'chai';
import { z } from 'zod';
import { ApiError } from '../../src/api/errors.js';
import { ANONYMOUS } from '../../src/api/callers.js';
import { createInvoke, type Call, type InvokeOptions } from '../../src/api/operations/invoke.js';
import type { Operation } from '../../src/api/operations/operation.js';

const operation = (run: () => Promise<unknown>): Operation => ({
  name: 'wait', tag: 'Test', summary: 'Waits.', rest: { method: 'get', path: '/v1/wait' }, callers: ['anonymous'], input: z.object({}), output: z.object({}), run,
} as Operation);
const call: Call = { caller: ANONYMOUS, channel: 'rest', requestId: 'r', address: '::1', header: () => undefined, fingerprint: () => Buffer.alloc(0) };
const invokeWithin = (answerWithin: number) => createInvoke({ limit: async () => undefined, now: Date.now, answerWithin } as unknown as InvokeOptions);

describe('a call', () => {
  it('is answered with UNAVAILABLE and Retry-After when an engine says nothing', async () => {
    const silent = operation(() => new Promise(() => undefined));
    const error = await invokeWithin(20)(silent, () => ({}), call).then(() => undefined, (thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ApiError);
    expect([(error as ApiError).status, (error as ApiError).code, (error as ApiError).headers]).to.deep.equal([503, 'UNAVAILABLE', { 'Retry-After': '1' }]);
  });

  it('is answered with what it came to when that is in time', async () => {
    const { result } = await invokeWithin(10_000)(operation(async () => ({ done: true })), () => ({}), call);
    expect(result).to.deep.equal({ done: true });
  });

  it('may fail after nobody waits for it any more', async () => {
    const late = operation(() => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 60)));
    const error = await invokeWithin(20)(late, () => ({}), call).then(() => undefined, (thrown: unknown) => thrown);
    expect((error as ApiError).code).to.equal('UNAVAILABLE');
    await new Promise((resolve) => setTimeout(resolve, 80));
  });
});
