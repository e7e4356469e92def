/** Plans of P2P orders, tested from outside: each pair on one route, pick-up first, capacity at every stop. */
import { expect } from 'chai';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/** Capacity of a vehicle in kilograms, and weight of each parcel. */
const ROOM = 5;
const WEIGHT = 2;

interface SeenStop {
  readonly kind: 'pickup' | 'delivery' | 'break';
  readonly order_id: number | null;
  readonly arrive_at: string;
}
interface SeenRoute {
  readonly driver_id: number;
  readonly stops: readonly SeenStop[];
  readonly load_peak: readonly { readonly type: string; readonly used: number; readonly limit: number | null }[];
}

describe('plans of P2P orders', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 3 });
    for (const id of day.drivers) {
      const set = await day.as('client_admin', `/drivers/${id}/capacity`, { max_weight_kg: ROOM }, 'PUT');
      expect(set.status, set.text).to.equal(200);
    }
  });
  after(() => t.stop());

  const door = (n: number, latitude: number, longitude: number) => ({
    name: `Sender ${n}`,
    street: `Street ${n}`,
    city: 'Berlin',
    postal_code: '10115',
    country: 'DE',
    position: { latitude, longitude },
  });
  const pair = (n: number) => ({
    type: 'P2P',
    // All pick-ups are west of the depot. Without a capacity limit a vehicle would collect everything there before the
    // first delivery.
    pickup: door(n, 52.52 + (n % 5) / 200, 13.3 + n / 500),
    packages: [{ weight_kg: WEIGHT }],
  });

  /** Violations on a route, as texts; `carried`: weights on board at its start. */
  function broken(stops: readonly SeenStop[], carried: ReadonlyMap<number, number>): string[] {
    const violations: string[] = [];
    const onBoard = new Map(carried);
    const weight = () => [...onBoard.values()].reduce((sum, one) => sum + one, 0);
    const check = () => weight() > ROOM && violations.push(`${weight()} kg on board`);
    check();
    for (const { kind, order_id } of stops) {
      if (kind === 'pickup') onBoard.set(order_id!, WEIGHT);
      else if (kind === 'delivery' && !onBoard.delete(order_id!))
        violations.push(`${order_id} delivered before its pick-up`);
      check();
    }
    if (onBoard.size > 0) violations.push(`${[...onBoard.keys()].join(', ')} never delivered`);
    return violations;
  }

  it('routes 6: keep each pair on one route with the pick-up first, and exceed no capacity at any stop', async () => {
    const pairs = await day.orders(24, pair);
    const direct = await day.orders(4);
    const plan = await day.plan({ order_ids: [...pairs, ...direct] });
    expect(plan.unassigned).to.deep.equal([]);
    const routes = plan.routes as SeenRoute[];
    const stops = routes.flatMap((route) => route.stops.filter(({ kind }) => kind !== 'break'));
    expect(stops).to.have.length(2 * pairs.length + direct.length);
    for (const { stops: its, load_peak } of routes) {
      const fromDepot = its.flatMap(({ order_id }) =>
        direct.includes(order_id!) ? [[order_id!, WEIGHT] as const] : [],
      );
      expect(broken(its, new Map(fromDepot))).to.deep.equal([]);
      const weight = load_peak.find(({ type }) => type === 'weight')!;
      expect(weight).to.include({ limit: ROOM });
      expect(weight.used).to.be.within(WEIGHT, ROOM);
    }
    // The check detects violations: with all pick-ups first the capacity is exceeded, and a delivery before its pick-up
    // is found.
    const maxOrders = routes
      .map(({ stops: its }) => its.filter(({ order_id }) => pairs.includes(order_id!)))
      .sort((a, b) => b.length - a.length)[0]!;
    const first = [...maxOrders].sort((a, b) => (a.kind < b.kind ? 1 : -1));
    expect(broken(first, new Map()).join()).to.include('kg on board');
    expect(broken([...first].reverse(), new Map()).join()).to.include('before its pick-up');
  });

  it('routes 6: orders stay on their planned routes, and pairs stay together, when the plan is repeated', async () => {
    const ids = await day.orders(6, pair);
    const plan = await day.plan({ order_ids: ids });
    const routeOf = async () =>
      Object.fromEntries(await Promise.all(ids.map(async (id) => [id, (await day.order(id)).route_id])));
    const before = await routeOf();
    expect(Object.values(before)).to.not.include(null);
    const route_ids = [...new Set(Object.values(before))];
    const again = await day.plan({ mode: 'reoptimize', route_ids });
    for (const { stops } of again.routes as SeenRoute[]) expect(broken(stops, new Map())).to.deep.equal([]);
    expect(again.summary.unassigned_count).to.equal(0);
    expect(plan.summary.assigned_count).to.equal(6);
  });
});
