/** Concurrent callers share one result. A pause follows, so that expensive work uses a tenth of the time. */
import { expect } from 'chai';
import { shareComputation } from '../../../src/api/core/shared-computation.js';

describe('a shared result', () => {
  /** Pauses end when the test ends them. */
  function open(takes: number) {
    let time = 0;
    let made = 0;
    const pauses: { readonly milliseconds: number; readonly end: () => void }[] = [];
    const ask = shareComputation(
      async () => {
        time += takes;
        return (made += 1);
      },
      { now: () => time, pause: (milliseconds) => new Promise<void>((end) => void pauses.push({ milliseconds, end })) },
    );
    return { ask, pauses, made: () => made };
  }
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  it('is computed once for all concurrent callers', async () => {
    const { ask, made } = open(20);
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal([1, 1, 1]);
    expect(made()).to.equal(1);
  });

  it('pauses nine times as long as the computation took, and at most half a second', async () => {
    for (const [takes, rest] of [
      [20, 180],
      [4_000, 500],
    ] as const) {
      const { ask, pauses } = open(takes);
      await ask();
      expect(pauses.map(({ milliseconds }) => milliseconds)).to.deep.equal([rest]);
    }
  });

  it('is never stale: callers during the pause get the next one', async () => {
    const { ask, pauses, made } = open(20);
    await ask();
    const later = [ask(), ask()];
    await nextTurn();
    expect(made(), 'during the rest').to.equal(1);
    pauses[0]!.end();
    expect(await Promise.all(later)).to.deep.equal([2, 2]);
  });

  it('also pauses after a failure, which all callers get', async () => {
    const pauses: number[] = [];
    let time = 0;
    const ask = shareComputation(
      async () => {
        time += 10;
        throw new Error('away');
      },
      { now: () => time, pause: async (milliseconds) => void pauses.push(milliseconds) },
    );
    const results = await Promise.allSettled([ask(), ask()]);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(pauses).to.deep.equal([90]);
  });
});
