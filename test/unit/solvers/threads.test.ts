import { expect } from 'chai';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { fingerprint, matrixFingerprint } from '../../../src/solvers/routes/fingerprint.js';
import { runnersHere } from '../../../src/solvers/routes/here.js';
import { ProblemError } from '../../../src/solvers/routes/limits.js';
import { planOf } from '../../../src/solvers/routes/plan.js';
import { repeatWith, solveWith } from '../../../src/solvers/routes/solve.js';
import { repeatInThreads, solveInThreads } from '../../../src/solvers/routes/threads.js';
import { EVERYTHING, problemOf } from '../../support/inputs/route-problems.js';

describe('the search for routes in threads', () => {
  const { problem, matrix } = problemOf(5, 120, 8, { ...EVERYTHING, driveBreaks: false });

  it('holds its time, and the plan is found again bit for bit, in threads and without', async () => {
    const began = performance.now();
    const solved = await solveInThreads(problem, matrix, { seconds: 1, seed: 3 }, { threads: 2 });
    const took = (performance.now() - began) / 1_000;
    // The bench holds the limit of time to 5 %; here other tests take the cores meanwhile.
    expect(solved.seconds).to.be.within(0.8, 2);
    expect(took).to.be.below(4);
    expect(solved.stopped).to.equal(false);
    expect(faultsOf(problem, matrix, planOf(problem, matrix, solved.solution))).to.deep.equal([]);
    const again = await repeatInThreads(problem, matrix, { seed: 3, trace: solved.trace });
    const here = await repeatWith(runnersHere(problem, matrix, 3, 2), solved.trace);
    expect(fingerprint(again)).to.equal(fingerprint(solved.solution));
    expect(fingerprint(here)).to.equal(fingerprint(solved.solution));
  });

  it('finds a plan of the version before again, which is not that of the present one', async () => {
    const limited = problemOf(1, 40, 5, { ...EVERYTHING, vehicles: false });
    const before = runnersHere(limited.problem, limited.matrix, 1, 1, 1);
    const { solution, trace } = await solveWith(before, { iterations: 500, seed: 1 });
    const again = (version?: number) =>
      repeatInThreads(limited.problem, limited.matrix, { seed: 1, trace, ...(version && { version }) });
    expect(fingerprint(await again(1))).to.equal(fingerprint(solution));
    expect(fingerprint(await again())).to.not.equal(fingerprint(solution));
  });

  it('stops on request and keeps the best so far, which is found again as well', async () => {
    const stop = new AbortController();
    const solving = solveInThreads(
      problem,
      matrix,
      { iterations: 100_000_000, seed: 4 },
      { threads: 1 },
      { stop: stop.signal },
    );
    setTimeout(() => stop.abort(), 300);
    const began = performance.now();
    const solved = await solving;
    expect(performance.now() - began).to.be.below(1_500);
    expect(solved.stopped).to.equal(true);
    expect(solved.iterations).to.be.within(1, 10_000_000);
    expect(faultsOf(problem, matrix, planOf(problem, matrix, solved.solution))).to.deep.equal([]);
    const again = await repeatInThreads(problem, matrix, { seed: 4, trace: solved.trace });
    expect(fingerprint(again)).to.equal(fingerprint(solved.solution));
  });

  it('ends within a moment when cancelled, and keeps the loop of its caller free', async () => {
    const cancel = new AbortController();
    const solving = solveInThreads(
      problem,
      matrix,
      { seconds: 30, seed: 5 },
      { threads: 2 },
      { cancel: cancel.signal },
    );
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    await new Promise((resolve) => setTimeout(resolve, 500));
    clearInterval(ticking);
    const began = performance.now();
    cancel.abort(new Error('called off'));
    const error = await solving.then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).to.equal('called off');
    expect(performance.now() - began).to.be.below(3_000);
    // A loop that is held has none or one of a hundred; a busy machine leaves it few.
    expect(turns).to.be.above(5);
  });

  it('tells where a problem is none', async () => {
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

  it('tells a matrix by its fingerprint', () => {
    const other = { ...matrix, duration: matrix.duration.map((cell, index) => (index === 5 ? cell + 1 : cell)) };
    expect(matrixFingerprint(matrix)).to.match(/^[0-9a-f]{64}$/);
    expect(matrixFingerprint(other)).to.not.equal(matrixFingerprint(matrix));
  });
});
