import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { fingerprint, matrixFingerprint } from '../../../src/solvers/routes/fingerprint.js';
import { runnersInThread } from '../../../src/solvers/routes/in-thread.js';
import { ProblemError } from '../../../src/solvers/routes/limits.js';
import { planOf } from '../../../src/solvers/routes/plan.js';
import { repeatWith, solveWith } from '../../../src/solvers/routes/solve.js';
import { repeatInThreads, solveInThreads } from '../../../src/solvers/routes/threads.js';
import { watchThreads } from '../../support/checks/threads.js';
import { EVERYTHING, problemOf } from '../../support/inputs/route-problems.js';

describe('route search in threads', () => {
  const { problem, matrix } = problemOf(5, 120, 8, { ...EVERYTHING, driveBreaks: false });

  it('ends by the clock, and the plan is reproduced bit for bit, with threads and without', async () => {
    // The bench checks that the search keeps its time limit within 5 %.
    const solved = await solveInThreads(problem, matrix, { seconds: 1, seed: 3 }, { threads: 2 });
    expect(solved.stopped).to.equal(false);
    expect(solved.iterations).to.be.above(0);
    expect(faultsOf(problem, matrix, planOf(problem, matrix, solved.solution))).to.deep.equal([]);
    const again = await repeatInThreads(problem, matrix, { seed: 3, trace: solved.trace });
    const here = await repeatWith(runnersInThread(problem, matrix, 3, 2), solved.trace);
    expect(fingerprint(again)).to.equal(fingerprint(solved.solution));
    expect(fingerprint(here)).to.equal(fingerprint(solved.solution));
  });

  it('reproduces a plan of the previous version, which differs from that of the current one', async () => {
    const limited = problemOf(1, 40, 5, { ...EVERYTHING, vehicles: false });
    const before = runnersInThread(limited.problem, limited.matrix, 1, 1, 1);
    const { solution, trace } = await solveWith(before, { iterations: 500, seed: 1 });
    const again = (version?: number) =>
      repeatInThreads(limited.problem, limited.matrix, { seed: 1, trace, ...(version && { version }) });
    expect(fingerprint(await again(1))).to.equal(fingerprint(solution));
    expect(fingerprint(await again())).to.not.equal(fingerprint(solution));
  });

  it('stops on request and keeps the best plan so far, which is reproducible as well', async () => {
    const stop = new AbortController();
    const solving = solveInThreads(
      problem,
      matrix,
      { iterations: 100_000_000, seed: 4 },
      { threads: 1 },
      { stop: stop.signal },
    );
    setTimeout(() => stop.abort(), 300);
    const solved = await solving;
    expect(solved.stopped).to.equal(true);
    expect(solved.iterations).to.be.within(1, 99_999_999);
    expect(faultsOf(problem, matrix, planOf(problem, matrix, solved.solution))).to.deep.equal([]);
    const again = await repeatInThreads(problem, matrix, { seed: 4, trace: solved.trace });
    expect(fingerprint(again)).to.equal(fingerprint(solved.solution));
  });

  it('keeps the event loop of the caller free, and ends long before its budget when cancelled', async () => {
    const cancel = new AbortController();
    const threads = watchThreads();
    let isOver = false;
    const solving = solveInThreads(
      problem,
      matrix,
      { iterations: 2_000_000, seed: 5 },
      { threads: 2 },
      { cancel: cancel.signal },
    )
      .then(
        () => null,
        (reason: Error) => reason,
      )
      .finally(() => (isOver = true));
    await threads.online();
    // A blocked event loop would get its first turn only after the search has ended.
    for (let turn = 0; turn < 20; turn += 1) await sleep(5);
    expect(isOver, 'over before the loop had twenty turns').to.equal(false);
    cancel.abort(new Error('called off'));
    expect((await solving)?.message).to.equal('called off');
    expect(await threads.codes(), 'terminated').to.deep.equal([1, 1]);
  });

  it('reports the place of an invalid problem', async () => {
    const orders = problem.orders.map((order, index) => (index === 7 ? { ...order, size: [1.5, 2] } : order));
    const error = await solveInThreads(
      { ...problem, orders },
      matrix,
      { iterations: 10, seed: 1 },
      { threads: 1 },
    ).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(ProblemError);
    expect((error as ProblemError).path).to.equal('orders.7.size');
  });

  it('identifies a matrix by its fingerprint', () => {
    const other = { ...matrix, duration: matrix.duration.map((cell, index) => (index === 5 ? cell + 1 : cell)) };
    expect(matrixFingerprint(matrix)).to.match(/^[0-9a-f]{64}$/);
    expect(matrixFingerprint(other)).to.not.equal(matrixFingerprint(matrix));
  });
});
