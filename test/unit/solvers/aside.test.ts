import { expect } from 'chai';
import { aside, isCrowded } from '../../../src/api/areas/plans/aside/aside.js';
import { WORK } from '../../../src/api/areas/plans/aside/work.js';
import { DEFAULT_PLANNING } from '../../../src/events/planning/events.js';
import { matrixFingerprint } from '../../../src/solvers/routes/fingerprint.js';

const measured = (count: number) => ({
  positions: Array.from({ length: count }, (_, n) => ({
    latitude: 52_000_000 + (n % 50) * 9_000,
    longitude: 13_000_000 + Math.floor(n / 50) * 7_000,
  })),
  roadFactorPercent: 130,
  speeds: DEFAULT_PLANNING.speeds,
  trafficPercent: 120,
});
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('work of a plan aside', () => {
  it('is the same as done here, in memory that the threads of the search share', async () => {
    const there = await aside('greatCircles', [measured(80)]);
    expect(matrixFingerprint(there)).to.equal(matrixFingerprint(await WORK.greatCircles(measured(80))));
    expect(there.duration.buffer).to.be.instanceOf(SharedArrayBuffer);
  });

  it('leaves the loop of its caller free, and ends at once when it is called off', async () => {
    const cancel = new AbortController();
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    const working = failure(aside('greatCircles', [measured(4_000)], cancel.signal));
    await new Promise((resolve) => setTimeout(resolve, 500));
    clearInterval(ticking);
    const began = performance.now();
    cancel.abort(new Error('called off'));
    expect(await working).to.equal('called off');
    expect(performance.now() - began).to.be.below(3_000);
    // A loop that is held has none or one of a hundred; a busy machine leaves it few.
    expect(turns).to.be.above(5);
    expect(await failure(aside('greatCircles', [measured(2)], cancel.signal))).to.equal('called off');
  });

  it('fails with what went wrong there', async () => {
    const damaged = { problem: Buffer.from('no JSON'), matrix: undefined };
    expect(await failure(aside('opened', [damaged]))).to.include('JSON');
  });

  it('is done by two threads at a time; what waits is counted, and all of it is done', async () => {
    const working = Array.from({ length: 33 }, () => aside('greatCircles', [measured(2)]));
    expect(isCrowded()).to.equal(true);
    expect((await Promise.all(working)).map(({ size }) => size)).to.deep.equal(Array.from({ length: 33 }, () => 2));
    expect(isCrowded()).to.equal(false);
  });
});
