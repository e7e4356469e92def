/** An effect within the request that began it. */
import { expect } from 'chai';
import { createInline } from '../../../src/effects/inline.js';
import { timeLimits } from '../../../src/events/core/time-limits.js';
import type { EffectProgress } from '../../../src/events/effects/progress.js';

const effect: EffectProgress = {
  effectId: 'e',
  kind: 'k',
  business: 1,
  about: 'parcel',
  attempt: 1,
  adapter: 'a',
  account: '1',
  digest: 'd',
  step: 'begun',
};

/** `work`: what the performer does. `isTaken`: another worker has the claim. */
function inline({ work, isTaken = false }: { work: () => Promise<EffectProgress>; isTaken?: boolean }) {
  const calls: string[] = [];
  const errors: unknown[] = [];
  let reads = 0;
  const perform = createInline({
    store: {
      claim: () => {
        calls.push('claim');
        const claimed = { effectId: 'e', stream: 's', kind: 'k', begunAt: new Date(), attempts: 0, claims: 1 };
        return Promise.resolve(isTaken ? undefined : claimed);
      },
    },
    performer: {
      perform: (claim: { readonly isNew: boolean }) => {
        calls.push(claim.isNew ? 'perform new' : 'perform');
        return work();
      },
      // The other worker ends the effect after the second read.
      progressOf: () => Promise.resolve({ ...effect, step: isTaken && ++reads > 1 ? 'done' : 'begun' } as const),
    } as never,
    limits: { ...timeLimits(), effectInlineMs: isTaken ? 10_000 : 50 },
    worker: 'w',
    now: () => 0,
    onError: (error) => errors.push(error),
  });
  return { perform, calls, errors };
}
const done = { ...effect, step: 'done' } as const;
const never = (): Promise<never> => new Promise(() => undefined);

describe('an effect within its request', () => {
  it('is performed under a claim', async () => {
    const { perform, calls } = inline({ work: () => Promise.resolve(done) });
    expect(await perform({ stream: 's', effect, changed: true, cause: {} })).to.equal(done);
    expect(calls).to.deep.equal(['claim', 'perform new']);
  });

  it('is not new if a repeated request did not append the beginning', async () => {
    const { perform, calls } = inline({ work: () => Promise.resolve(done) });
    await perform({ stream: 's', effect, changed: false, cause: {} });
    expect(calls).to.deep.equal(['claim', 'perform']);
  });

  it('is pending after the time of the request', async () => {
    const { perform } = inline({ work: never });
    expect((await perform({ stream: 's', effect, changed: true, cause: {} })).step).to.equal('begun');
  });

  it('is pending after an error, which is reported', async () => {
    const { perform, errors } = inline({ work: () => Promise.reject(new Error('database')) });
    expect((await perform({ stream: 's', effect, changed: true, cause: {} })).step).to.equal('begun');
    expect(errors).to.have.length(1);
  });

  it('waits for another worker', async () => {
    const { perform, calls } = inline({ work: never, isTaken: true });
    expect((await perform({ stream: 's', effect, changed: true, cause: {} })).step).to.equal('done');
    expect(calls).to.deep.equal(['claim']);
  });

  it('sends nothing in a dry run, or after the end', async () => {
    const { perform, calls } = inline({ work: never });
    expect(await perform({ stream: 's', effect, changed: true, cause: { dryRun: [] } })).to.equal(effect);
    expect(await perform({ stream: 's', effect: done, changed: false, cause: {} })).to.equal(done);
    expect(calls).to.deep.equal([]);
  });
});
