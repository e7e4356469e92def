import { expect } from 'chai';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { planOf, type Plan, type PlannedRoute, type PlannedStop } from '../../../src/solvers/routes/plan.js';
import type { Matrix, Problem, Visit } from '../../../src/solvers/routes/problem.js';
import { benchmarkText, hasBenchmarks, namesOf, readInstance } from '../../support/inputs/solomon.js';
import { skip } from '../../support/run-summary.js';

/** Four places on a line, neighbours 1,000 metres and 100 seconds apart. */
const line = Array.from({ length: 16 }, (_, cell) => Math.abs((cell >> 2) - (cell & 3)));
const matrix: Matrix = {
  size: 4,
  distance: Int32Array.from(line, (steps) => steps * 1_000),
  duration: Int32Array.from(line, (steps) => steps * 100),
};
const visit = (place: number, rank = 0): Visit => ({ place, service: 10, windows: [[0, 5_000]], rank });
const problem: Problem = {
  places: 4,
  capacities: 1,
  orders: [
    { delivery: visit(1, 1), size: [2], skills: [], priority: 0 },
    { pickup: visit(2, 2), delivery: visit(3, 3), size: [3], skills: [7], priority: 0 },
    { delivery: visit(3), size: [1], skills: [], priority: 0 },
  ],
  resources: [
    {
      start: 0,
      end: 0,
      shift: [0, 5_000],
      breaks: [{ duration: 50, earliest: 150, latest: 400 }],
      capacity: [4],
      skills: [7],
      maxDistance: 6_000,
      maxDuration: 1_000,
      maxStops: 3,
    },
    {
      start: 0,
      end: null,
      shift: [0, 5_000],
      breaks: [],
      capacity: [9],
      skills: [],
      driveBreak: { after: 300, duration: 60 },
    },
  ],
  weights: { perRoute: 5, perMetre: 1, perSecond: 2, perWait: 3 },
};
const solution = {
  routes: [
    { resource: 0, stops: [[0, 1] as const, [1, 0] as const, [1, 1] as const] },
    { resource: 1, stops: [[2, 1] as const] },
  ],
  unassigned: [],
};
const plan = planOf(problem, matrix, solution);

/** The plan with one route changed. */
const withRoute = (at: number, change: (route: PlannedRoute) => PlannedRoute): Plan => ({
  ...plan,
  routes: plan.routes.map((route, index) => (index === at ? change(route) : route)),
});
const withStop = (at: number, change: (stop: PlannedStop) => PlannedStop): Plan =>
  withRoute(0, (route) => ({
    ...route,
    stops: route.stops.map((stop, index) => (index === at ? change(stop) : stop)),
  }));
const codes = (changed: Plan, of: Problem = problem): string[] => faultsOf(of, matrix, changed).map(({ code }) => code);
const withResource = (change: Partial<Problem['resources'][0]>, at = 0): Problem => ({
  ...problem,
  resources: problem.resources.map((resource, index) => (index === at ? { ...resource, ...change } : resource)),
});
const withOrder = (change: Partial<Problem['orders'][0]>, at = 0): Problem => ({
  ...problem,
  orders: problem.orders.map((order, index) => (index === at ? { ...order, ...change } : order)),
});

describe('checker of route plans', () => {
  it('accepts a plan that follows every rule', () => expect(codes(plan)).to.deep.equal([]));

  it('finds a missing, duplicate or unknown order, and one that is both planned and left out', () => {
    const [route, other] = plan.routes as [PlannedRoute, PlannedRoute];
    expect(codes({ ...plan, routes: [route], cost: route.cost })).to.include('MISSING');
    expect(codes({ ...plan, unassigned: [2] })).to.include('TOO_OFTEN');
    expect(codes({ ...plan, unassigned: [9] })).to.include('UNASSIGNED_WRONG');
    expect(codes({ ...plan, routes: [route, other, other] })).to.include('RESOURCE_TWICE');
    expect(codes(withRoute(1, (one) => ({ ...one, resource: 8 })))).to.include('UNKNOWN_RESOURCE');
    const foreign = (one: PlannedRoute) => ({ ...one, stops: [...one.stops, { ...one.stops[0]!, order: 44 }] });
    expect(codes(withRoute(1, foreign))).to.include('UNKNOWN_ORDER');
  });

  it('finds impossible times', () => {
    const first = plan.routes[0]!.stops.findIndex(({ kind }) => kind === 'delivery');
    expect(codes(withStop(first, (stop) => ({ ...stop, arrive: stop.arrive - 1 })))).to.include('TOO_EARLY');
    expect(codes(withStop(first, (stop) => ({ ...stop, start: stop.arrive - 1 })))).to.include(
      'SERVICE_BEFORE_ARRIVAL',
    );
    expect(codes(withStop(first, (stop) => ({ ...stop, leave: stop.leave + 1 })))).to.include('SERVICE_TIME');
    expect(codes(withStop(first, (stop) => ({ ...stop, start: 6_000 })))).to.include('OUTSIDE_WINDOW');
    expect(codes(withRoute(0, (route) => ({ ...route, start: -1 })))).to.include('BEFORE_SHIFT');
    expect(codes(withRoute(0, (route) => ({ ...route, end: 5_001 })))).to.include('AFTER_SHIFT');
  });

  it('finds missing skills, exceeded capacity, and a wrong sequence', () => {
    expect(codes(plan, withResource({ skills: [] }))).to.include('SKILL');
    expect(codes(plan, withResource({ capacity: [2] }))).to.include('CAPACITY');
    expect(codes(plan, withOrder({ resource: 1 }))).to.include('FIXED');
    expect(codes(plan, withOrder({ warehouse: 3 }))).to.include('WAREHOUSE');
    expect(codes(plan, withOrder({ delivery: visit(1, 9) }))).to.include('SEQUENCE');
    const swapped = (route: PlannedRoute) => ({ ...route, stops: [...route.stops].reverse() });
    expect(codes(withRoute(0, swapped))).to.include('DELIVERED_BEFORE_PICKUP');
    const torn = (route: PlannedRoute) => ({
      ...route,
      stops: route.stops.filter((stop) => stop.order !== 1 || stop.kind === 'pickup'),
    });
    expect(codes(withRoute(0, torn))).to.include('TORN_APART');
  });

  it('finds a break that is missing, within a leg or invented, and too long driving time', () => {
    const none = (route: PlannedRoute) => ({ ...route, stops: route.stops.filter(({ kind }) => kind !== 'break') });
    expect(codes(withRoute(0, none))).to.include('PAUSE_MISSING');
    expect(codes(plan, withResource({ breaks: [] }))).to.include('PAUSE_UNKNOWN');
    expect(codes(plan, withResource({ driveBreak: { after: 250, duration: 60 } }, 1))).to.include('TOO_EARLY');
    const pause = plan.routes[0]!.stops.findIndex(({ kind }) => kind === 'break');
    const early = (stop: PlannedStop) => ({ ...stop, start: stop.start - 30, leave: stop.leave - 30 });
    expect(codes(withStop(pause, early))).to.include('TOO_EARLY');
  });

  it('finds exceeded limits and wrong sums', () => {
    expect(codes(plan, withResource({ maxDistance: 5_999 }))).to.include('TOO_FAR');
    expect(codes(plan, withResource({ maxDuration: 600 }))).to.include('TOO_LONG');
    expect(codes(plan, withResource({ maxStops: 2 }))).to.include('TOO_MANY_STOPS');
    expect(codes(withRoute(0, (route) => ({ ...route, distance: 5 })))).to.include('WAY_SUM');
    expect(codes(withRoute(0, (route) => ({ ...route, wait: route.wait + 1 })))).to.include('TIME_SUM');
    expect(codes(withRoute(0, (route) => ({ ...route, cost: route.cost - 1 })))).to.include('COST_SUM');
    expect(codes({ ...plan, cost: 1 })).to.include('COST_WRONG');
    expect(codes(withStop(0, (stop) => ({ ...stop, distance: 1 })))).to.include('DISTANCE_WRONG');
  });

  it('finds a vehicle that is slower than its times, and one with other costs', () => {
    expect(codes(plan, withResource({ speed: 999 }))).to.include.members(['TOO_EARLY', 'WAY_SUM']);
    expect(codes(plan, withResource({ speed: 1_000 }))).to.deep.equal([]);
    expect(codes(plan, withResource({ weights: { ...problem.weights, perMetre: 2 } }))).to.deep.equal(['COST_SUM']);
    const faster = withResource({ speed: 3_000, weights: { perRoute: 1, perMetre: 7, perSecond: 0, perWait: 1 } });
    const own = planOf(faster, matrix, solution);
    expect(codes(own, faster)).to.deep.equal([]);
    expect(codes(own)).to.include.members(['TOO_EARLY', 'WAY_SUM', 'COST_SUM']);
  });

  it('finds a leg that does not exist', () => {
    const cut = { ...matrix, duration: matrix.duration.map((time, cell) => (cell === 1 ? -1 : time)) };
    expect(faultsOf(problem, cut, plan).map(({ code }) => code)).to.include('NO_WAY');
  });

  it("accepts all 56 best known solutions of Solomon's instances", function () {
    if (!hasBenchmarks()) {
      return skip(this, 'no benchmarks (SHARED_DIR)');
    }
    const solutions = benchmarkText('solomon/best-solutions.txt').trim().split(/\r?\n/);
    expect(solutions).to.have.length(56);
    for (const text of solutions) {
      const [name, , ...stops] = text.split(' ');
      const routes = stops
        .join(' ')
        .split(' | ')
        .map((route) => route.split(' ').map(Number));
      const instance = readInstance('solomon', name!);
      expect(instance.distanceOf(routes), name).to.be.closeTo(instance.best.distance, 0.01);
      expect(instance.breaks(routes), name).to.equal(null);
      const exact = readInstance('solomon', name!, { scale: 100_000, round: Math.floor });
      const best = {
        routes: routes.map((route, resource) => ({
          resource,
          stops: route.map((customer) => [customer - 1, 1] as const),
        })),
        unassigned: [],
      };
      expect(faultsOf(exact.problem, exact.matrix, planOf(exact.problem, exact.matrix, best)), name).to.deep.equal([]);
    }
    expect(namesOf('solomon')).to.have.length(56);
  });
});
