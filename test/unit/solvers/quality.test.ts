import { expect } from 'chai';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { runnersInThread } from '../../../src/solvers/routes/in-thread.js';
import { planOf } from '../../../src/solvers/routes/plan.js';
import { repeatWith, solveWith } from '../../../src/solvers/routes/solve.js';
import { hasBenchmarks, readInstance } from '../../support/inputs/solomon.js';
import { skip } from '../../support/run-summary.js';
import { isFullDepth } from '../../support/depth.js';

/** One instance of each class at full depth. The bench runs all 56 by the clock. */
const SAMPLE = ['C101', 'R105', 'RC105', ...(isFullDepth ? ['C206', 'R110', 'R203', 'RC204'] : [])];

describe('quality of routes on public instances', function () {
  before(function () {
    if (hasBenchmarks()) return;
    skip(this, 'no benchmarks (SHARED_DIR)');
  });

  it('is within 2.5 % of the best known distance on average, after 15,000 iterations', async () => {
    const gaps = [];
    for (const name of SAMPLE) {
      const { problem, matrix, best, distanceOf, breaks } = readInstance('solomon', name);
      const { solution, trace } = await solveWith(runnersInThread(problem, matrix, 1), { iterations: 15_000, seed: 1 });
      const routes = solution.routes.map(({ stops }) => stops.map(([order]) => order + 1));
      expect(faultsOf(problem, matrix, planOf(problem, matrix, solution)), name).to.deep.equal([]);
      expect(breaks(routes), name).to.equal(null);
      expect(await repeatWith(runnersInThread(problem, matrix, 1), trace), name).to.deep.equal(solution);
      gaps.push((distanceOf(routes) / best.distance - 1) * 100);
    }
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).to.be.within(-0.01, 2.5);
  });

  it('has a complete plan of 1,000 customers before it searches', async () => {
    const { problem, matrix } = readInstance('scale', 'r1_10_1');
    const { solution } = await solveWith(runnersInThread(problem, matrix, 1), { iterations: 0, seed: 1 });
    expect(solution.unassigned).to.deep.equal([]);
    expect(faultsOf(problem, matrix, planOf(problem, matrix, solution))).to.deep.equal([]);
  });
});
