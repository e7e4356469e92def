/** The path of every call: each wait has a timeout. */
import { expect } from 'chai';
import { z } from 'zod';
import { ApiError } from '../../../src/api/core/errors.js';
import { ANONYMOUS } from '../../../src/api/core/callers.js';
import type { Call } from '../../../src/api/core/call.js';
import { createInvoke, type InvokeOptions } from '../../../src/api/core/invoke.js';
import type { Operation } from '../../../src/api/core/operation.js';
import { Progress } from '../../../src/projections/core/progress.js';

const operation = (run: () => Promise<unknown>): Operation =>
  ({
    name: 'wait',
    area: 'Test',
    summary: 'Waits.',
    rest: { method: 'get', path: '/v1/wait' },
    callers: ['anonymous'],
    input: z.object({}),
    output: z.object({}),
    run,
  }) as Operation;
const call: Call = {
  caller: ANONYMOUS,
  channel: 'rest',
  requestId: 'r',
  address: '::1',
  header: () => undefined,
  fingerprint: () => Buffer.alloc(0),
};
const invokeWithin = (answerWithin: number) =>
  createInvoke({ limit: async () => undefined, now: Date.now, timeoutMs: answerWithin } as unknown as InvokeOptions);

describe('a call', () => {
  it('returns UNAVAILABLE with Retry-After if an engine does not respond', async () => {
    const silent = operation(() => new Promise(() => undefined));
    const error = await invokeWithin(20)(silent, () => ({}), call).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(ApiError);
    expect([(error as ApiError).status, (error as ApiError).code, (error as ApiError).headers]).to.deep.equal([
      503,
      'UNAVAILABLE',
      { 'Retry-After': '1' },
    ]);
  });

  it('may take longer by the wait that the caller requests', async () => {
    const slow = operation(() => new Promise((resolve) => setTimeout(() => resolve({ done: true }), 60)));
    const { result } = await invokeWithin(20)({ ...slow, waits: 25 }, () => ({}), call);
    expect(result).to.deep.equal({ done: true });
  });

  it('returns its result if that is in time', async () => {
    const { result } = await invokeWithin(10_000)(
      operation(async () => ({ done: true })),
      () => ({}),
      call,
    );
    expect(result).to.deep.equal({ done: true });
  });

  it('may fail after its timeout', async () => {
    const late = operation(() => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 60)));
    const error = await invokeWithin(20)(late, () => ({}), call).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect((error as ApiError).code).to.equal('UNAVAILABLE');
    await new Promise((resolve) => setTimeout(resolve, 80));
  });

  it('announces the read models that it will wait for, from its start to its end', async () => {
    const progress = new Progress(undefined as never);
    const invoke = createInvoke({ limit: async () => undefined, now: Date.now, progress } as unknown as InvokeOptions);
    const seen: boolean[] = [];
    const recordState = (): void => void seen.push(progress.isAwaited('orders'), progress.isAwaited('timeline'));
    const writing = { ...operation(async () => recordState()), awaits: ['orders'] } as Operation;
    await invoke(writing, () => ({}), call);
    recordState();
    await invoke(
      {
        ...writing,
        run: () => {
          recordState();
          throw new Error('refused');
        },
      } as Operation,
      () => ({}),
      call,
    ).catch(() => undefined);
    recordState();
    await invoke(writing, () => ({}), { ...call, dryRun: [] });
    expect(seen).to.deep.equal([true, false, false, false, true, false, false, false, false, false]);
  });
});
