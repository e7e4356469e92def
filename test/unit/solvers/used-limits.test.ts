/** The check of a route under way computes its own sums. */
import { expect } from 'chai';
import { exceedsLimits, remainingOf, type UsedLimits } from '../../../src/api/areas/plans/used-limits.js';
import type { Plan } from '../../../src/solvers/routes/plan.js';
import type { Order, Problem } from '../../../src/solvers/routes/problem.js';

describe('check of routes under way', () => {
  const visit = { place: 0, service: 60, windows: [[0, 10_000]] as const };
  const pickup = (size: number): Order => ({ pickup: visit, size: [size], skills: [], priority: 5 });
  const delivery = (size: number): Order => ({ delivery: visit, size: [size], skills: [], priority: 5 });
  const problem = (orders: Order[]): Problem => ({
    places: 1,
    capacities: 1,
    orders,
    // The sums say that nothing is on board, because the check does not rely on them.
    resources: [{ start: 0, end: 0, shift: [1_000, 9_000], breaks: [], capacity: [10], skills: [] }],
    weights: { perRoute: 0, perMetre: 1, perSecond: 0, perWait: 0 },
  });
  const plan = (orders: Order[], { end = 2_000, distance = 500 } = {}): Plan => ({
    routes: [
      {
        resource: 0,
        start: 1_000,
        end,
        distance,
        drive: 0,
        service: 0,
        wait: 0,
        pause: 0,
        cost: 0,
        stops: orders.map((one, order) => ({
          kind: one.pickup ? ('pickup' as const) : ('delivery' as const),
          order,
          arrive: 1_000,
          start: 1_000,
          leave: 1_060,
          distance: 0,
          slack: 0,
        })),
      },
    ],
    unassigned: [],
    cost: 0,
  });
  const spent: UsedLimits = { resource: 0, capacity: [10], carried: [8], stops: 3, metres: 700, began: 0 };
  const checked = (orders: Order[], more: Partial<UsedLimits> = {}, course = {}): boolean =>
    exceedsLimits(problem(orders), [{ ...spent, ...more }], plan(orders, course));

  it('counts the load on board, in the order of the stops', () => {
    expect(checked([pickup(2)])).to.equal(false);
    expect(checked([pickup(3)])).to.equal(true);
    expect(checked([delivery(2), pickup(2)])).to.equal(false);
    expect(checked([pickup(2), delivery(1)])).to.equal(true);
  });

  it('counts stops, metres and time since the beginning', () => {
    expect(checked([pickup(1)], { maxStops: 4 })).to.equal(false);
    expect(checked([pickup(1)], { maxStops: 3 })).to.equal(true);
    expect(checked([pickup(1)], { maxDistance: 1_200 })).to.equal(false);
    expect(checked([pickup(1)], { maxDistance: 1_199 })).to.equal(true);
    expect(checked([pickup(1)], { maxDuration: 2_000 })).to.equal(false);
    expect(checked([pickup(1)], { maxDuration: 1_999 })).to.equal(true);
  });

  it('does not report limits that were already exceeded before', () => {
    expect(checked([], { carried: [12], maxStops: 2, maxDistance: 100 }, { distance: 0 })).to.equal(false);
    expect(remainingOf(3, 5)).to.equal(0);
  });
});
