import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type * as Aside from '../../../src/api/areas/plans/worker-threads/run-in-thread.js';
import { COMPUTATIONS } from '../../../src/api/areas/plans/worker-threads/computations.js';
import { DEFAULT_PLANNING } from '../../../src/events/planning/events.js';
import { matrixFingerprint } from '../../../src/solvers/routes/fingerprint.js';
import { watchThreads, type StartedThreads } from '../../support/checks/threads.js';

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

/**
 * A separate instance of the module: other tests of this process may have left idle threads in the pool of the first.
 */
const OWN = new URL('../../../src/api/areas/plans/worker-threads/run-in-thread.js?own', import.meta.url).href;

describe('plan computations in worker threads', () => {
  let own: typeof Aside;
  let threads: StartedThreads;
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  before(async () => {
    own = (await import(OWN)) as typeof Aside;
    threads = watchThreads();
    process.on('worker', note);
  });
  after(() => process.off('worker', note));

  it('return the same result as on the main thread, in memory that the search threads share', async () => {
    const there = await own.runInThread('greatCircles', [measured(80)]);
    expect(matrixFingerprint(there)).to.equal(matrixFingerprint(await COMPUTATIONS.greatCircles(measured(80))));
    expect(there.duration.buffer).to.be.instanceOf(SharedArrayBuffer);
  });

  it('do not block the event loop of the caller', async () => {
    let isOver = false;
    const working = own.runInThread('greatCircles', [measured(4_000)]).finally(() => (isOver = true));
    // A blocked event loop would get its first turn only after the work has ended.
    for (let turn = 0; turn < 5; turn += 1) await sleep(1);
    expect(isOver, 'over before the loop had five turns').to.equal(false);
    await working;
  });

  it('stop in the middle when aborted', async () => {
    const cancel = new AbortController();
    const working = failure(own.runInThread('greatCircles', [measured(4_000)], cancel.signal));
    await threads.online();
    cancel.abort(new Error('called off'));
    expect(await working).to.equal('called off');
    expect(await threads.codes(), 'terminated').to.deep.equal([1]);
    expect(await failure(own.runInThread('greatCircles', [measured(2)], cancel.signal))).to.equal('called off');
  });

  it('continue in a new thread after a thread failed while idle', async () => {
    await own.runInThread('greatCircles', [measured(2)]);
    started.at(-1)!.emit('error', new Error('out of memory'));
    expect((await own.runInThread('greatCircles', [measured(2)])).size).to.equal(2);
  });

  it('fail with the error of the thread', async () => {
    const damaged = { problem: Buffer.from('no JSON'), matrix: undefined };
    expect(await failure(own.runInThread('opened', [damaged]))).to.include('JSON');
  });

  it('run in two threads at a time; waiting ones are counted, and all are done', async () => {
    const working = Array.from({ length: 33 }, () => own.runInThread('greatCircles', [measured(2)]));
    expect(own.isOverloaded()).to.equal(true);
    expect((await Promise.all(working)).map(({ size }) => size)).to.deep.equal(Array.from({ length: 33 }, () => 2));
    expect(own.isOverloaded()).to.equal(false);
  });
});
