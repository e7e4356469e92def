import { expect } from 'chai';
import fc from 'fast-check';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { runnersHere } from '../../../src/solvers/routes/here.js';
import { planOf, UndrivableRoute } from '../../../src/solvers/routes/plan.js';
import type { Matrix, Problem, Solution, Stop } from '../../../src/solvers/routes/problem.js';
import { solveWith } from '../../../src/solvers/routes/solve.js';
import { EVERYTHING, problemOf } from '../../support/inputs/route-problems.js';

/** Fewest orders left out, then least cost, over every sequence of one resource; judged by the checker alone. */
function bestOf(problem: Problem, matrix: Matrix): { left: number; cost: number } {
  let best = { left: problem.orders.length, cost: 0 };
  const visit = (stops: readonly Stop[]): void => {
    const done = new Set(stops.map(([order]) => order));
    const unassigned = [...problem.orders.keys()].filter((order) => !done.has(order));
    const solution: Solution = { routes: stops.length > 0 ? [{ resource: 0, stops }] : [], unassigned };
    const cost = costOf(problem, matrix, solution);
    if (cost !== null && (unassigned.length < best.left || (unassigned.length === best.left && cost < best.cost)))
      best = { left: unassigned.length, cost };
    problem.orders.forEach((order, index) => {
      const has = (kind: number): boolean => stops.some(([other, one]) => other === index && one === kind);
      if (order.pickup && !has(0)) visit([...stops, [index, 0]]);
      if (order.delivery && !has(1) && (!order.pickup || has(0))) visit([...stops, [index, 1]]);
    });
  };
  visit([]);
  return best;
}

function costOf(problem: Problem, matrix: Matrix, solution: Solution): number | null {
  try {
    const plan = planOf(problem, matrix, solution);
    return faultsOf(problem, matrix, plan).length === 0 ? plan.cost : null;
  } catch (error) {
    if (error instanceof UndrivableRoute) return null;
    throw error;
  }
}

describe('the search for routes, against every sequence there is', () => {
  it('leaves out no order that fits, and finds the cheapest route', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(3, 4), async (seed, count) => {
        const made = problemOf(seed, count, 1, { ...EVERYTHING, balance: false });
        const problem: Problem = {
          ...made.problem,
          orders: made.problem.orders.map((order) => ({ ...order, priority: 0 })),
          weights: { perRoute: 2_000, perMetre: 1, perSecond: 2, perWait: 0 },
        };
        const { solution } = await solveWith(runnersHere(problem, made.matrix, seed), { iterations: 400, seed });
        const found = planOf(problem, made.matrix, solution);
        expect({ left: solution.unassigned.length, cost: found.cost }).to.deep.equal(bestOf(problem, made.matrix));
      }),
      { numRuns: 150 },
    );
  });
});
