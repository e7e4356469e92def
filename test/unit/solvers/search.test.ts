import { expect } from 'chai';
import fc from 'fast-check';
import { solverVersionOf, BUILTIN_SOLVER } from '../../../src/api/areas/plans/engines.js';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { fingerprint } from '../../../src/solvers/routes/fingerprint.js';
import { runnersInThread } from '../../../src/solvers/routes/in-thread.js';
import { planOf } from '../../../src/solvers/routes/plan.js';
import { Search } from '../../../src/solvers/routes/search/search.js';
import { repeatWith, solveWith } from '../../../src/solvers/routes/solve.js';
import { EVERYTHING, problemOf, type Features } from '../../support/inputs/route-problems.js';
import { runs } from '../../support/depth.js';

/** Plans that each version found first. A change of these values requires a new version. */
const FOUND_BEFORE = {
  1: ['615c97c79cd4fdd2', '26b729274cb44ca5', 'b6f960012e7ce81f'],
  2: ['694cdd7aa8402480', 'e37932678cc92f5b', 'b6f960012e7ce81f'],
};

/** Each rule alone, and all rules at once. */
const MIXES: Record<string, Features> = {
  'deliveries with windows': {},
  'pickups and deliveries in one route': { kinds: ['delivery', 'pickup'] },
  'transfers, whose pickup comes first': { kinds: ['transfer'] },
  pauses: { pauses: true },
  'time at the wheel': { driveBreaks: true, pauses: true },
  'limits of distance, duration and stops': { limits: true },
  'drivers and sequences that are fixed': { locks: true, kinds: ['delivery', 'transfer'] },
  'open routes over ways that are no shortest ones': { open: true, rough: true },
  'vehicles that are slower or faster, dearer or cheaper': { vehicles: true, pauses: true, limits: true },
  'all of it': EVERYTHING,
};

describe('route search', () => {
  for (const [name, features] of Object.entries(MIXES))
    it(`follows every rule: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.integer({ min: 1, max: 30 }),
          fc.integer({ min: 1, max: 5 }),
          async (seed, orders, resources) => {
            const { problem, matrix } = problemOf(seed, orders, resources, features);
            const { solution } = await solveWith(runnersInThread(problem, matrix, seed), { iterations: 200, seed });
            expect(faultsOf(problem, matrix, planOf(problem, matrix, solution))).to.deep.equal([]);
          },
        ),
        { numRuns: runs(60) },
      );
    });

  it('counts the same cost as the plan: legs, waiting, and orders left out', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 25 }), (seed, orders) => {
        const features = { kinds: ['delivery', 'pickup', 'transfer'] as const, pauses: true, open: true };
        const made = problemOf(seed, orders, 3, features);
        const problem = {
          ...made.problem,
          orders: made.problem.orders.map((order) => ({ ...order, priority: 0 })),
          weights: { ...made.problem.weights, perWait: 3 },
        };
        const search = new Search(problem, made.matrix, seed);
        const without = new Search({ ...problem, resources: [] }, made.matrix, seed).cost / orders;
        search.run({ iterations: 50, from: 0, to: 1 });
        const plan = planOf(problem, made.matrix, search.solution);
        expect(search.cost - plan.unassigned.length * without).to.equal(plan.cost);
      }),
      { numRuns: runs(100) },
    );
  });

  it('counts the cost of each vehicle, including waiting, if vehicles differ', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 12 }), (seed, orders) => {
        const made = problemOf(seed, orders, 3, { vehicles: true, pauses: true, open: true });
        const problem = {
          ...made.problem,
          weights: { ...made.problem.weights, perWait: 3 },
          resources: made.problem.resources.map(({ weights, ...resource }, index) => ({
            ...resource,
            ...(weights && { weights: { ...weights, perWait: index } }),
          })),
        };
        const search = new Search(problem, made.matrix, seed);
        search.run({ iterations: 50, from: 0, to: 1 });
        const plan = planOf(problem, made.matrix, search.solution);
        if (plan.unassigned.length > 0) return;
        compared += 1;
        expect(search.cost).to.equal(plan.cost);
      }),
      { numRuns: runs(150) },
    );
    expect(compared).to.be.above(runs(150) / 10);
  });

  it('uses the cheaper of two vehicles, and the faster one if the window is too short for the other', async () => {
    const { problem, matrix } = problemOf(2, 1, 1);
    const [from, to] = [30_000, 60_000];
    const drive = matrix.duration[3]!;
    const resource = { start: 0, end: null, shift: [from, to] as const, breaks: [], capacity: [9, 900], skills: [] };
    const order = { ...problem.orders[0]!, skills: [] };
    const planned = async (until: number) => {
      const requestedProblem = {
        ...problem,
        orders: [{ ...order, delivery: { place: 3, service: 0, windows: [[from, until] as const] } }],
        resources: [
          { ...resource, speed: 2_000 },
          { ...resource, speed: 500, weights: { perRoute: 0, perMetre: 0, perSecond: 1, perWait: 0 } },
        ],
      };
      const { solution } = await solveWith(runnersInThread(requestedProblem, matrix, 1), { iterations: 20, seed: 1 });
      const plan = planOf(requestedProblem, matrix, solution);
      expect(faultsOf(requestedProblem, matrix, plan)).to.deep.equal([]);
      return plan.routes.map((route) => [route.resource, route.drive]);
    };
    expect(await planned(to)).to.deep.equal([[1, drive * 2]]);
    expect(await planned(from + drive)).to.deep.equal([[0, Math.ceil(drive / 2)]]);
    expect(await planned(from + Math.ceil(drive / 2) - 1)).to.deep.equal([]);
  });

  for (const [version, found] of Object.entries(FOUND_BEFORE))
    it(`reproduces the first plans of version ${version}`, async () => {
      const before: Features = { ...EVERYTHING, vehicles: false };
      const now = await Promise.all(
        [1, 2, 3].map(async (seed) => {
          const { problem, matrix } = problemOf(seed, 40, 5, before);
          const runners = runnersInThread(problem, matrix, seed, 1, Number(version));
          return fingerprint((await solveWith(runners, { iterations: 500, seed })).solution).slice(0, 16);
        }),
      );
      expect(now).to.deep.equal(found);
    });

  it('is replayed in the supported versions, and in no other', () => {
    expect(BUILTIN_SOLVER).to.equal('builtin@2');
    expect(['builtin@1', BUILTIN_SOLVER].map(solverVersionOf)).to.deep.equal([1, 2]);
    for (const solver of ['builtin@0', 'builtin@3', 'builtin@'])
      expect(() => solverVersionOf(solver)).to.throw('SOLVER_RETIRED');
    expect(() => solverVersionOf('vroom@1')).to.throw('ENGINE_LACKS');
  });

  it('reproduces the plan from the trace, with one worker and with three', async () => {
    for (const workers of [1, 3]) {
      const { problem, matrix } = problemOf(7, 40, 5, EVERYTHING);
      const first = await solveWith(runnersInThread(problem, matrix, 11, workers), { seconds: 0.2, seed: 11 });
      const again = await repeatWith(runnersInThread(problem, matrix, 11, workers), first.trace);
      expect(fingerprint(again)).to.equal(fingerprint(first.solution));
      const other = await solveWith(runnersInThread(problem, matrix, 11, workers), { iterations: 400, seed: 11 });
      const same = await solveWith(runnersInThread(problem, matrix, 11, workers), { iterations: 400, seed: 11 });
      expect(fingerprint(same.solution)).to.equal(fingerprint(other.solution));
    }
  });

  it('leaves out less urgent orders if not all fit', async () => {
    const { problem, matrix } = problemOf(3, 20, 1);
    const orders = problem.orders.map((order, index) => ({
      ...order,
      size: [1, 0],
      skills: [],
      priority: index < 5 ? 9 : 0,
      delivery: { ...order.delivery!, windows: [[28_800, 60_000] as const] },
    }));
    const tight = { ...problem, orders, resources: [{ ...problem.resources[0]!, capacity: [5, 0] }] };
    const { solution } = await solveWith(runnersInThread(tight, matrix, 1), { iterations: 2_000, seed: 1 });
    expect(solution.unassigned).to.deep.equal(Array.from({ length: 15 }, (_, index) => index + 5));
  });

  it('balances work and uses all drivers if requested', async () => {
    const { problem, matrix } = problemOf(5, 24, 4);
    const easy = {
      ...problem,
      orders: problem.orders.map((order) => ({
        ...order,
        size: [1, 0],
        skills: [],
        delivery: { ...order.delivery!, service: 60, windows: [[28_800, 60_000] as const] },
      })),
      resources: problem.resources.map((resource) => ({
        ...resource,
        shift: [28_800, 64_800] as const,
        start: 0,
        end: 0,
        capacity: [24, 0],
      })),
    };
    const counts = async (balance?: { mode: 'stops'; strength: number; useAll: boolean }) => {
      const requestedProblem = balance ? { ...easy, balance } : easy;
      const { solution } = await solveWith(runnersInThread(requestedProblem, matrix, 1), {
        iterations: 3_000,
        seed: 1,
      });
      return solution.routes.map(({ stops }) => stops.length);
    };
    expect(await counts({ mode: 'stops', strength: 1_000, useAll: true })).to.deep.equal([6, 6, 6, 6]);
    expect((await counts()).length).to.be.below(4);
  });
});
