/** Request bodies that are being received share one memory budget. */
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { bodyOf, MAX_BODY_BYTES, MAX_BYTES_IN_PROGRESS } from '../../../src/api/core/collect-body.js';
import type { ApiError } from '../../../src/api/core/errors.js';

/** One buffer that all bodies share; the budget counts the memory that separate bodies would use. */
const CHUNK = Buffer.alloc(MAX_BODY_BYTES);

function sending() {
  const stream = new PassThrough({ highWaterMark: 2 * MAX_BODY_BYTES });
  const request = Object.assign(stream, { headers: {}, complete: false }) as unknown as Request;
  const headers: Record<string, string> = {};
  const response = {
    headersSent: false,
    setHeader: (name: string, value: string) => void (headers[name] = value),
  } as unknown as Response;
  const outcome = bodyOf(request, response).then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );
  stream.write(CHUNK);
  return { stream, headers, outcome, request };
}

describe('request bodies', () => {
  it('adversary H2: share a memory budget: one more body gets 503 with Retry-After, until another has ended', async () => {
    const slow = Array.from({ length: MAX_BYTES_IN_PROGRESS / MAX_BODY_BYTES }, sending);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const more = sending();
    const refused = await more.outcome;
    expect([refused?.code, refused?.status, refused?.headers['Retry-After']]).to.deep.equal(['UNAVAILABLE', 503, '1']);
    expect(more.headers['Connection']).to.equal('close');
    const finish = async ({ stream, request, outcome }: ReturnType<typeof sending>) => {
      (request as { complete: boolean }).complete = true;
      stream.end();
      return outcome;
    };
    expect(await finish(slow.pop()!)).to.equal(undefined);
    const next = sending();
    expect(await finish(next), 'there is room again').to.equal(undefined);
    for (const { stream } of slow) stream.emit('aborted');
    await Promise.all(slow.map(({ outcome }) => outcome));
  });
});
