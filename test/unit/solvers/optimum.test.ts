import { expect } from 'chai';
import fc from 'fast-check';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { runnersInThread } from '../../../src/solvers/routes/in-thread.js';
import { planOf, UndrivableRoute } from '../../../src/solvers/routes/plan.js';
import type { Matrix, Problem, Solution, Stop } from '../../../src/solvers/routes/problem.js';
import { solveWith } from '../../../src/solvers/routes/solve.js';
import { EVERYTHING, problemOf } from '../../support/inputs/route-problems.js';
import { runs } from '../../support/depth.js';

/**
 * Fewest orders left out, then lowest cost, over every sequence of one resource that grows order by order. Only the
 * checker judges the sequences. The search inserts one order at a time, so it misses a route of two orders if neither
 * is feasible alone. Example: the one has no leg from the start and the other has no leg to the end.
 */
function bestOf(problem: Problem, matrix: Matrix): { leftCount: number; cost: number } {
  const costs = new Map<string, number | null>();
  const leftOutBy = (stops: readonly Stop[]): number[] =>
    [...problem.orders.keys()].filter((order) => !stops.some(([other]) => other === order));
  /** Null if the sequence is not drivable, or cannot grow order by order. */
  const grown = (stops: readonly Stop[]): number | null => {
    const key = JSON.stringify(stops);
    const known = costs.get(key);
    if (known !== undefined) return known;
    const routes = stops.length > 0 ? [{ resource: 0, stops }] : [];
    const cost = costOf(problem, matrix, { routes, unassigned: leftOutBy(stops) });
    const grows = (order: number): boolean => grown(stops.filter(([other]) => other !== order)) !== null;
    const found = cost !== null && (stops.length === 0 || stops.some(([order]) => grows(order))) ? cost : null;
    costs.set(key, found);
    return found;
  };
  let best = { leftCount: problem.orders.length, cost: 0 };
  const visit = (stops: readonly Stop[]): void => {
    const leftCount = leftOutBy(stops).length;
    const cost = grown(stops);
    if (cost !== null && (leftCount < best.leftCount || (leftCount === best.leftCount && cost < best.cost)))
      best = { leftCount, cost };
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

/** The search is random: cases that the first number of iterations misses must succeed with ten times as many. */
const ITERATIONS = [400, 4_000];

describe('route search compared with every possible sequence', () => {
  it('leaves out no order that fits, and finds the cheapest route', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(3, 4), async (seed, count) => {
        const made = problemOf(seed, count, 1, { ...EVERYTHING, balance: false });
        const problem: Problem = {
          ...made.problem,
          orders: made.problem.orders.map((order) => ({ ...order, priority: 0 })),
          weights: { perRoute: 2_000, perMetre: 1, perSecond: 2, perWait: 0 },
        };
        const best = bestOf(problem, made.matrix);
        let found = { leftCount: problem.orders.length, cost: 0 };
        for (const iterations of ITERATIONS) {
          const { solution } = await solveWith(runnersInThread(problem, made.matrix, seed), { iterations, seed });
          found = { leftCount: solution.unassigned.length, cost: planOf(problem, made.matrix, solution).cost };
          if (found.leftCount === best.leftCount && found.cost === best.cost) break;
        }
        expect(found).to.deep.equal(best);
      }),
      {
        numRuns: runs(150),
        // Two orders that are feasible only together; and a case that the first number of iterations rarely solves.
        examples: [
          [1_060_333_693, 3],
          [2_044_539_616, 4],
        ],
      },
    );
  });
});
