import { expect } from 'chai';
import fc from 'fast-check';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { Explanation } from '../../../src/solvers/routes/explain.js';
import { runnersInThread } from '../../../src/solvers/routes/in-thread.js';
import { planOf, UndrivableRoute } from '../../../src/solvers/routes/plan.js';
import type { Matrix, Problem, Solution, Stop } from '../../../src/solvers/routes/problem.js';
import { solveWith } from '../../../src/solvers/routes/solve.js';
import { EVERYTHING, problemOf } from '../../support/inputs/route-problems.js';

/** The lowest cost of adding an order to a route: every position is tried and checked; null if none is valid. */
function cheapest(
  problem: Problem,
  matrix: Matrix,
  resource: number,
  stops: readonly Stop[],
  order: number,
): number | null {
  const { pickup, delivery } = problem.orders[order]!;
  const tries: Stop[][] = [];
  for (let at = 0; at <= stops.length; at += 1)
    if (pickup && delivery)
      for (let later = at; later <= stops.length; later += 1)
        tries.push([...stops.slice(0, at), [order, 0], ...stops.slice(at, later), [order, 1], ...stops.slice(later)]);
    else tries.push([...stops.slice(0, at), [order, pickup ? 0 : 1], ...stops.slice(at)]);
  const costs = tries.map((changed) => costOf(problem, matrix, resource, changed)).filter((cost) => cost !== null);
  const before = stops.length > 0 ? costOf(problem, matrix, resource, stops)! : 0;
  return costs.length > 0 ? Math.min(...costs) - before : null;
}

function costOf(problem: Problem, matrix: Matrix, resource: number, stops: readonly Stop[]): number | null {
  const done = new Set(stops.map(([order]) => order));
  const unassigned = [...problem.orders.keys()].filter((order) => !done.has(order));
  const solution: Solution = { routes: [{ resource, stops }], unassigned };
  try {
    const plan = planOf(problem, matrix, solution);
    return faultsOf(problem, matrix, plan).length === 0 ? plan.cost : null;
  } catch (error) {
    if (error instanceof UndrivableRoute) return null;
    throw error;
  }
}

describe('reasons for an unassigned order', () => {
  it('each order has reasons, and each reason is true when the order is tried at every position', async () => {
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 4, max: 16 }), async (seed, count) => {
        const made = problemOf(seed, count, 2, { ...EVERYTHING, balance: false });
        const problem = { ...made.problem, weights: { ...made.problem.weights, perWait: 0 } };
        const { matrix } = made;
        const { solution } = await solveWith(runnersInThread(problem, matrix, seed), { iterations: 60, seed });
        const explanation = new Explanation(problem, matrix, solution);
        for (const order of solution.unassigned) {
          const reasons = explanation.reasons(order);
          expect(reasons).to.not.deep.equal([]);
          reasons.forEach(({ code, ways }) =>
            [code, ...(ways ?? []).map((way) => ('code' in way ? way.code : 'fits'))].forEach((one) => codes.add(one)),
          );
          const alone = problem.resources.map((_, resource) => cheapest(problem, matrix, resource, [], order));
          if (reasons[0]!.code === 'NO_ROOM') expect(alone.some((cost) => cost !== null)).to.equal(true);
          else expect(alone).to.deep.equal(problem.resources.map(() => null));
        }
      }),
      { numRuns: 150 },
    );
    expect(codes).to.not.include('fits');
    expect([...codes]).to.include.members([
      'NO_ROOM',
      'LOWER_PRIORITY',
      'SKILL_MISSING',
      'EXCEEDS_CAPACITY',
      'OUT_OF_HOURS',
    ]);
  });

  it('report the true cost of an order on every route', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const made = problemOf(seed, 12, 2, { ...EVERYTHING, balance: false });
        const problem = { ...made.problem, weights: { ...made.problem.weights, perWait: 0 } };
        const { matrix } = made;
        const { solution } = await solveWith(runnersInThread(problem, matrix, seed), { iterations: 60, seed });
        const taken = solution.routes[0]?.stops[0]?.[0];
        if (taken === undefined) return;
        const routes = solution.routes
          .map((route) => ({ ...route, stops: route.stops.filter(([order]) => order !== taken) }))
          .filter(({ resource, stops }) => stops.length > 0 && costOf(problem, matrix, resource, stops) !== null);
        const rest = { routes, unassigned: [] };
        for (const way of new Explanation(problem, matrix, rest).ways(taken)) {
          const stops = routes.find(({ resource }) => resource === way.resource)?.stops ?? [];
          expect('cost' in way ? way.cost : null).to.equal(cheapest(problem, matrix, way.resource, stops, taken));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('report the amount: units of load, seconds, stops', () => {
    const { problem, matrix } = problemOf(1, 2, 1);
    const place = { service: 0, windows: [[0, 50_000] as const] };
    const one = { delivery: { ...place, place: 3 }, size: [5, 0], skills: [], priority: 0 };
    const resource = { ...problem.resources[0]!, start: 0, end: 0, shift: [0, 50_000] as const, capacity: [7, 0] };
    const day: Problem = {
      ...problem,
      orders: [one, { ...one, delivery: { ...place, place: 4 } }],
      resources: [resource],
    };
    const solution: Solution = { routes: [{ resource: 0, stops: [[0, 1]] }], unassigned: [1] };
    const way = (routeProblem: Problem) => new Explanation(routeProblem, matrix, solution).ways(1, true)[0];
    expect(way(day)).to.deep.equal({ resource: 0, code: 'EXCEEDS_CAPACITY', type: 0, by: 3 });
    const roomy = (change: object): Problem => ({ ...day, resources: [{ ...resource, capacity: [20, 0], ...change }] });
    expect(way(roomy({ maxStops: 1 }))).to.deep.equal({ resource: 0, code: 'TOO_MANY_STOPS', by: 1 });
    const time = (from: number, to: number): number => matrix.duration[from * matrix.size + to]!;
    const round = Math.min(time(0, 3) + time(3, 4) + time(4, 0), time(0, 4) + time(4, 3) + time(3, 0));
    const late = roomy({ shift: [0, round - 7] });
    expect(way(late)).to.deep.equal({ resource: 0, code: 'OUT_OF_HOURS', by: 7 });
  });
});
