/** Guarantees of route plans, tested from outside. */
import { expect } from 'chai';
import { addDays } from '../../../src/events/core/local-time.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { distanceOf, type Place } from '../../support/inputs/drive-length.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { atDepth } from '../../support/depth.js';

interface SeenStop {
  readonly kind: string;
  readonly order_id: number | null;
  readonly arrive_at: string;
  readonly start_at: string;
  readonly leave_at: string;
  readonly locked: string | null;
}
interface SeenRoute {
  readonly driver_id: number;
  readonly route_id: number;
  readonly start_at: string;
  readonly end_at: string;
  readonly stops: readonly SeenStop[];
}
/** Number of orders of one plan, and of two plans that are committed at the same time. */
const ORDERS = atDepth(200, 80);
const CONTESTED = atDepth(100, 40);
const HUB: Place = { latitude: 52.52, longitude: 13.405 };
const WEST: Place = { latitude: 52.51, longitude: 13.3 };

/** Seconds of a leg as documented: great circle times 1.3, divided by the speed for its length. */
function drive(from: Place, to: Place): number {
  const metres = distanceOf(from, to);
  const [least, most, slow, fast] = metres < 2_000 ? [0, 2_000, 18, 25] : [2_000, 10_000, 25, 40];
  return (metres * 3.6) / (slow + ((Math.min(metres, most) - least) / (most - least)) * (fast - slow));
}
const seconds = (time: string): number => Date.parse(time) / 1_000;
const ordersIn = (routes: readonly SeenRoute[]): number[] =>
  routes.flatMap(({ stops }) => stops.flatMap(({ order_id }) => order_id ?? []));

describe('guarantees of route plans', () => {
  let t: TestService;
  let day: Day;
  let west: number;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 12 });
    const address = { street: 'West 1', city: 'Berlin', postal_code: '14050', country: 'DE', position: WEST };
    const site = { code: 'WEST', name: 'West', address, timezone: 'Europe/Berlin' };
    west = (await day.as('client_admin', '/wms/warehouses', site)).json.warehouse.id;
  });
  after(() => t.stop());

  it(`routes 1: ${ORDERS} orders, 12 drivers, windows, two warehouses, breaks: committed in one job, without a violation`, async () => {
    const timezone = 'Europe/Berlin';
    // Half of the drivers begin at the second warehouse, in separate shifts.
    const fleet_id = (await day.as('client_admin', '/fleets', { name: 'West' })).json.fleet.id;
    const theirs = day.drivers.slice(6);
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: theirs }, 'PUT');
    const at = (hours: number): string =>
      new Date(Date.parse(`${day.date}T00:00:00Z`) + hours * 3_600_000).toISOString();
    const shifts = theirs.map((driver_id) => ({
      driver_id,
      start_at: at(6),
      end_at: at(15),
      breaks: [{ duration_s: 1_800, earliest_at: at(9), latest_at: at(11) }],
      start_place: { kind: 'warehouse', warehouse_id: west },
      end_place: { kind: 'warehouse', warehouse_id: west },
    }));
    const made = await day.as('client_admin', `/fleets/${fleet_id}/shifts/batch`, { shifts });
    expect(made.status, made.text).to.equal(200);
    const ids = await day.orders(ORDERS, (n) => ({
      ...(n % 2 === 1 && { warehouse_id: west }),
      ...(n === 7 && { time_windows: [{ stop: 'delivery', from: '02:00', to: '02:10' }] }),
      ...(n > 7 && n % 4 === 0 && { time_windows: [{ stop: 'delivery', from: '10:00', to: '13:00' }] }),
    }));
    const plan = await day.plan({ order_ids: ids, budget: { time_limit_s: atDepth(4, 1) } });
    const { job } = (await day.as('client_admin', `/jobs/${plan.job_id}`)).json;
    expect(job).to.include({ status: 'succeeded', attempt: 1 });
    expect(plan.status).to.equal('committed');
    const routes = plan.routes as SeenRoute[];
    expect([
      ...ordersIn(routes),
      ...plan.unassigned.map(({ order_id }: { order_id: number }) => order_id),
    ]).to.have.members(ids);

    const clock = (time: string): string =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, timeStyle: 'short' }).format(Date.parse(time));
    for (const { driver_id, start_at: start, end_at: end, stops } of routes) {
      const fromWest = theirs.includes(driver_id);
      const depot = fromWest ? WEST : HUB;
      if (fromWest) {
        expect(seconds(start)).to.be.at.least(seconds(at(6)));
        expect(seconds(end)).to.be.at.most(seconds(at(15)));
      } else
        expect([clock(start) >= '08:00', clock(end) <= '17:00'], `${start} ${end} ${timezone}`).to.deep.equal([
          true,
          true,
        ]);
      let place = depot;
      let free = seconds(start);
      for (const stop of stops) {
        expect(seconds(stop.start_at)).to.be.at.least(seconds(stop.arrive_at));
        if (stop.kind === 'break') {
          expect(seconds(stop.leave_at) - seconds(stop.start_at)).to.equal(1_800);
          free += 1_800;
          continue;
        }
        const order = await day.order(stop.order_id!);
        if (order.warehouse_id !== null) expect(order.warehouse_id === west).to.equal(fromWest);
        expect(seconds(stop.leave_at) - seconds(stop.start_at)).to.equal(180);
        expect(seconds(stop.arrive_at) - free).to.be.at.least(drive(place, order.delivery.position) - 2);
        for (const { from, to } of order.time_windows)
          expect([clock(stop.start_at) >= from, clock(stop.start_at) <= to]).to.deep.equal([true, true]);
        place = order.delivery.position;
        free = seconds(stop.leave_at);
      }
      expect(seconds(end) - free).to.be.at.least(drive(place, depot) - 2);
      // A route that spans the time of its break has one.
      const latest = fromWest ? seconds(at(11)) : undefined;
      const spans =
        latest === undefined
          ? clock(start) < '11:30' && clock(end) > '14:00'
          : seconds(start) < seconds(at(9)) && seconds(end) > latest + 1_800;
      if (spans) expect(stops.filter(({ kind }) => kind === 'break')).to.have.length(1);
    }
    for (const { order_id, reasons } of plan.unassigned) {
      const alone = await day.plan({ order_ids: [order_id], auto_commit: false, budget: { iterations: 50 } });
      if (reasons[0].code === 'NO_ROOM') expect(alone.summary.assigned_count).to.equal(1);
      else expect(alone.unassigned[0].reasons[0].code).to.equal(reasons[0].code);
    }
    expect(plan.unassigned.map(({ reasons }: { reasons: { code: string }[] }) => reasons[0]!.code)).to.include(
      'OUT_OF_HOURS',
    );
  });

  it(`routes 3: two plans over the same ${CONTESTED} orders committed at once, while a fifth is held and a tenth assigned`, async () => {
    const date = addDays(day.date, 3);
    const ids = await day.orders(CONTESTED, () => ({ schedule_date: date }));
    const build = () =>
      day.plan({ schedule_date: date, order_ids: ids, driver_ids: day.drivers.slice(0, 6), auto_commit: false });
    const plans = [await build(), await build()];
    const commit = (id: number) => day.as('employee', `/route-plans/${id}/commit`, { wait_s: 25 });
    const [one, other] = await Promise.all([
      commit(plans[0].id),
      commit(plans[1].id),
      ...ids.slice(0, CONTESTED / 5).map((id) => day.as('client_admin', `/orders/${id}/hold`, {})),
      day.as('client_admin', '/broker-order-assignments', {
        order_ids: ids.slice(CONTESTED / 5, (CONTESTED * 3) / 10),
        broker_id: t.demo.users.broker.id,
      }),
    ]);
    const ended = [one, other].map((answer) => answer!.json.route_plan.commit);
    expect(ended.every(Boolean), one!.text).to.equal(true);
    const now = await Promise.all(ids.map((id) => day.order(id)));
    const on = now.filter(({ route_id }) => route_id !== null);
    // Each order is on one route or on none. The reported counts equal the real ones.
    expect(ended[0].placed + ended[1].placed).to.equal(on.length);
    for (const { placed, skipped, errors } of ended) {
      expect(placed + skipped).to.equal(CONTESTED);
      expect(errors).to.have.length(skipped);
    }
    const lost = new Set(ended.flatMap(({ errors }) => errors.map(({ code }: { code: string }) => code)));
    for (const code of lost)
      expect(['ORDER_ON_ROUTE', 'DRIVER_BOUND', 'ORDER_HELD', 'ASSIGNED_TO_CONTRACTOR', 'NOT_DISPATCHABLE']).to.include(
        code,
      );
    for (const { id, route_id, status } of now) {
      if (status === 'HOLD') expect(route_id).to.equal(null);
      const events = (
        await t.service.engines.pool.query('select type from log.events where stream = $1', [`order-${id}`])
      ).rows;
      const put = events.filter(({ type }: { type: string }) => type === 'OrderPutOnRoute');
      expect(put).to.have.length(route_id === null ? 0 : 1);
    }
  });

  it('routes 4: after 30 % of the stops no finished or loaded order changes its driver, pins are kept, and a new order is added', async () => {
    const date = addDays(day.date, 4);
    const ids = await day.orders(30, () => ({ schedule_date: date }));
    const balance = { mode: 'stops', strength: 1, use_all: true };
    const plan = await day.plan({ schedule_date: date, order_ids: ids, driver_ids: day.drivers.slice(0, 3), balance });
    const routes = plan.routes as SeenRoute[];
    const driverOf = new Map(
      routes.flatMap(({ driver_id, stops }) => stops.map(({ order_id }) => [order_id, driver_id])),
    );
    const [first, second, third] = routes;
    const over = ordersIn([first!])
      .slice(0, 5)
      .concat(ordersIn([second!]).slice(0, 4));
    for (const id of over) {
      const { packages } = await day.order(id);
      const occurred_at = new Date().toISOString();
      for (const status_code of ['out_for_delivery', 'delivered'])
        await day.as('employee', '/scans', { tracking_number: packages[0].tracking_number, status_code, occurred_at });
    }
    const [pinned] = ordersIn([third!]);
    await day.as(
      'client_admin',
      `/routes/${third!.route_id}/pins`,
      { pins: [{ order_id: pinned, pin: 'driver' }] },
      'PATCH',
    );
    const route_ids = routes.map(({ route_id }) => route_id);
    const again = await day.plan({ schedule_date: date, mode: 'reoptimize', route_ids });
    expect(again.commit.errors).to.deep.equal([]);
    const locks = (again.routes as SeenRoute[]).flatMap(({ driver_id, stops }) =>
      stops.map(({ order_id, locked }) => ({ order_id, locked, driver_id })),
    );
    for (const { order_id, locked, driver_id } of locks)
      if (locked) expect(driver_id, `${order_id} ${locked}`).to.equal(driverOf.get(order_id));
    expect(locks.filter(({ locked }) => locked === 'done').map(({ order_id }) => order_id)).to.have.members(over);
    expect(locks.find(({ order_id }) => order_id === pinned)).to.include({ locked: 'pin' });
    // A collection can be added to any route, a delivery only to a route that has not started.
    const [late] = await day.orders(1, () => ({
      type: 'P',
      schedule_date: date,
      delivery: undefined,
      pickup: { name: 'Late', street: 'Late 1', city: 'Berlin', postal_code: '10115', country: 'DE', position: HUB },
    }));
    const landed = await day.plan({
      schedule_date: date,
      mode: 'insert',
      route_ids,
      order_ids: [late],
      budget: { time_limit_s: 1 },
    });
    expect(landed.commit, JSON.stringify(landed.unassigned)).to.include({ placed: 1 });
    const [fresh] = await day.orders(1, () => ({ schedule_date: date }));
    const refused = await day.plan({
      schedule_date: date,
      mode: 'insert',
      route_ids: [first!.route_id],
      order_ids: [fresh],
      auto_commit: false,
    });
    expect(refused.unassigned[0].reasons[0].code).to.equal('WAREHOUSE_MISMATCH');
  });

  it('use shifts of the day, vehicles and skills: drivers without them get no route', async () => {
    const fleet_id = (await day.as('client_admin', '/fleets', { name: 'Cranes' })).json.fleet.id;
    const [crane] = day.drivers;
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: [crane] }, 'PUT');
    const vehicle = { id: 'C1', name: 'Crane', capacity: { weight_kg: 5 }, attributes: ['crane'] };
    await day.as('client_admin', `/fleets/${fleet_id}/vehicles`, { vehicles: [vehicle] }, 'PUT');
    const date = addDays(day.date, 2);
    const shift = { driver_id: crane, vehicle_id: 'C1', start_at: `${date}T06:00:00Z`, end_at: `${date}T09:00:00Z` };
    const made = await day.as('client_admin', `/fleets/${fleet_id}/shifts/batch`, { shifts: [shift] });
    expect(made.status, made.text).to.equal(200);
    const [lifted, heavy, afternoon] = await day.orders(3, (n) => ({
      schedule_date: date,
      ...(n === 1 && { packages: [{ weight_kg: 9 }] }),
      ...(n === 2 && { time_windows: [{ stop: 'delivery', from: '15:00', to: '16:00' }] }),
    }));
    await day.as('employee', `/orders/${lifted}`, { planning: { required_skills: ['crane'] } }, 'PATCH');
    const plan = await day.plan({
      schedule_date: date,
      order_ids: [lifted, heavy, afternoon],
      driver_ids: undefined,
      auto_commit: false,
    });
    expect(plan.routes).to.have.length(1);
    expect(plan.routes[0]).to.include({ driver_id: crane, vehicle_id: 'C1' });
    expect(ordersIn(plan.routes)).to.deep.equal([lifted]);
    const codes = Object.fromEntries(
      plan.unassigned.map(({ order_id, reasons }: { order_id: number; reasons: { code: string }[] }) => [
        order_id,
        reasons[0]!.code,
      ]),
    );
    expect(codes).to.deep.equal({ [heavy!]: 'EXCEEDS_CAPACITY', [afternoon!]: 'OUT_OF_HOURS' });
    const none = await day.plan({
      schedule_date: date,
      order_ids: [lifted],
      driver_ids: day.drivers.slice(1, 2),
      auto_commit: false,
    });
    expect(none.unassigned[0].reasons[0].code).to.equal('SKILL_MISSING');
    const other = await day.as('client_admin', '/../v3/client/build-route', {
      schedule_date: date,
      vehicle_ids: ['NONE'],
      wait_s: 5,
    });
    expect(other.json.code).to.equal('NOTHING_TO_PLAN');
  });
});
