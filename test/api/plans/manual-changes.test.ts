/** Manual changes that plans preserve: sequences, pins, orders added to a route, requirements of orders. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { expectCaughtUp } from '../../support/checks/caught-up.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('stops with manual decisions', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 3 });
  });
  after(() => t.stop());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const detail = async (id: number): Promise<any> => (await day.as('client_admin', `/routes/${id}`)).json.route;
  const planned = async (count: number, drivers = 1) => {
    const ids = await day.orders(count);
    const balance = { mode: 'stops', strength: 1, use_all: true };
    const plan = await day.plan({ order_ids: ids, driver_ids: day.drivers.slice(0, drivers), balance });
    expect(plan.routes).to.have.length(drivers);
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    return { ids, routes: plan.routes as any[] };
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const ordersIn = (stops: any[]): number[] => stops.flatMap(({ order_id }) => order_id ?? []);

  it('are shown with their times, in the planned sequence, and with the progress of the route', async () => {
    const { routes } = await planned(5);
    const route = await detail(routes[0].route_id);
    const { stops } = route;
    expect(route.stage).to.equal('planned');
    expect(stops).to.deep.equal(
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      routes[0].stops.map(({ slack_s: _slack, ...stop }: any) => stop),
    );
    expect(route.planned_start_at).to.equal(routes[0].start_at);
    const [first] = stops;
    const minutes = (text: string): number => Date.parse(text) / 60_000;
    expect(minutes(first.eta_from) % 15).to.equal(0);
    expect(minutes(first.eta_to) - minutes(first.eta_from)).to.be.within(60, 75);
    const { packages } = await day.order(first.order_id);
    const occurred_at = new Date().toISOString();
    for (const status_code of ['out_for_delivery', 'delivered'])
      await day.as('employee', '/scans', { tracking_number: packages[0].tracking_number, status_code, occurred_at });
    const later = await detail(routes[0].route_id);
    expect(later.stage).to.equal('under_way');
    expect(later.stops[0].locked).to.equal('done');
    expect(later.stops[1].locked).to.equal('van');
  });

  it('can be put into another sequence, and late stops are reported', async () => {
    const { routes } = await planned(4);
    const { route_id } = routes[0];
    const turned = ordersIn(routes[0].stops).reverse();
    const put = (stops: object[]) => day.as('client_admin', `/routes/${route_id}/sequence`, { stops }, 'PUT');
    const { status, json, text } = await put(turned.slice(0, 2).map((order_id) => ({ order_id })));
    expect(status, text).to.equal(200);
    expect(json.late).to.deep.equal([]);
    const route = await detail(route_id);
    const { stops } = route;
    expect(ordersIn(stops)).to.deep.equal([...turned.slice(0, 2), ...turned.slice(2).reverse()]);
    expect(route.route_plan_id).to.equal(null);
    // The reserved time of the driver changes, too.
    await expectCaughtUp(t.service, ['driver_times']);
    const { rows } = await t.service.engines.pool.query(
      'select from_at, to_at from driver_times.driver_times where active and what = $1',
      [`route:${route_id}`],
    );
    expect(rows).to.deep.equal([{ from_at: route.planned_start_at, to_at: route.planned_end_at }]);
    expect(route.planned_end_at).to.not.equal(routes[0].end_at);
    // Only plans announce windows.
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const announced = (list: any[]) => new Map(list.map((stop) => [stop.order_id, [stop.eta_from, stop.eta_to]]));
    expect(announced(stops)).to.deep.equal(announced(routes[0].stops));
    // Labels are printed in the order of the stops.
    const labels = await day.as('client_admin', `/routes/${route_id}/labels`);
    expect(labels.json.order_ids).to.deep.equal(ordersIn(stops));
    const time_windows = [{ stop: 'delivery', from: '05:00', to: '06:00' }];
    await day.as('client_admin', `/orders/${turned[0]}`, { time_windows }, 'PATCH');
    const late = (await put([{ order_id: turned[0] }])).json.late;
    expect(late).to.have.length(1);
    expect(late[0]).to.include({ order_id: turned[0], kind: 'delivery' });
    expect(late[0].late_s).to.be.above(7_200);
    const [elsewhere] = await day.orders(1);
    expect((await put([{ order_id: elsewhere! }])).json.code).to.equal('ORDER_NOT_ON_ROUTE');
    expect((await put([{ order_id: turned[0] }, { order_id: turned[0] }])).status).to.equal(400);
  });

  it('stay in front once they are finished, with any sequence', async () => {
    const { routes } = await planned(3);
    const { route_id } = routes[0];
    const [first, second, third] = ordersIn(routes[0].stops) as [number, number, number];
    const { packages } = await day.order(first);
    for (const status_code of ['out_for_delivery', 'delivered'])
      await day.as('employee', '/scans', {
        tracking_number: packages[0].tracking_number,
        status_code,
        occurred_at: new Date().toISOString(),
      });
    const put = (ids: number[]) =>
      day.as('client_admin', `/routes/${route_id}/sequence`, { stops: ids.map((order_id) => ({ order_id })) }, 'PUT');
    const { status, text } = await put([third, second]);
    expect(status, text).to.equal(200);
    expect(ordersIn((await detail(route_id)).stops)).to.deep.equal([first, third, second]);
    const over = await put([third, first]);
    expect([over.status, over.json.code]).to.deep.equal([409, 'ORDER_NOT_ON_ROUTE']);
    expect(ordersIn((await detail(route_id)).stops)).to.deep.equal([first, third, second]);
  });

  it('can be pinned to their driver or their place, and plans keep that', async () => {
    const { ids, routes } = await planned(12, 2);
    const [one, other] = routes;
    const [first, , third] = ordersIn(one.stops);
    const mine = ordersIn(one.stops);
    const pins = [
      ...mine.map((order_id) => ({ order_id, pin: 'driver' })),
      { order_id: ordersIn(other.stops)[0]!, pin: 'driver' },
    ];
    const path = `/routes/${one.route_id}/pins`;
    expect((await day.as('client_admin', path, { pins }, 'PATCH')).json.code).to.equal('ORDER_NOT_ON_ROUTE');
    const pinned = await day.as('client_admin', path, { pins: pins.slice(0, mine.length) }, 'PATCH');
    expect(pinned.json.pins, pinned.text).to.have.length(mine.length);
    // Only the sequence of the first route can still change: the last stop is moved to the front manually.
    const swapped = [third!, first!];
    await day.as(
      'client_admin',
      `/routes/${one.route_id}/sequence`,
      { stops: swapped.map((order_id) => ({ order_id })) },
      'PUT',
    );
    const position = swapped.map((order_id) => ({ order_id, pin: 'position' }));
    await day.as('client_admin', path, { pins: position }, 'PATCH');
    const route_ids = [one.route_id, other.route_id];
    const again = await day.plan({ mode: 'reoptimize', route_ids, auto_commit: false });
    expect(again.summary).to.include({ order_count: ids.length, assigned_count: ids.length });
    expect(again.summary.before).to.include({ assigned_count: ids.length, route_count: 2 });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const kept = again.routes.find(({ route_id }: any) => route_id === one.route_id);
    expect(ordersIn(kept.stops)).to.include.members(mine);
    expect(ordersIn(kept.stops).filter((id) => swapped.includes(id))).to.deep.equal(swapped);
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    expect(kept.stops.find(({ order_id }: any) => order_id === first).locked).to.equal('pin');
    const none = position.map(({ order_id }) => ({ order_id, pin: null }));
    const unpinned = await day.as('client_admin', path, { pins: none }, 'PATCH');
    expect(unpinned.json.pins).to.have.length(mine.length - 2);
  });

  it('stay with a manually assigned driver, unless the request says otherwise', async () => {
    const [far] = await day.orders(1);
    const { ids, routes } = await planned(8, 2);
    const [one, other] = routes;
    // Added to the route that is farther from it.
    await day.as('client_admin', `/routes/${one.route_id}/orders`, { order_ids: [far] });
    const route_ids = [one.route_id, other.route_id];
    const again = await day.plan({ mode: 'reoptimize', route_ids, auto_commit: false });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const on = again.routes.find(({ stops }: any) => ordersIn(stops).includes(far!));
    expect(on.route_id).to.equal(one.route_id);
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    expect(on.stops.find(({ order_id }: any) => order_id === far).locked).to.equal('manual');
    const free = await day.plan({ mode: 'reoptimize', route_ids, auto_commit: false, respect_manual: false });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const locks = free.routes.flatMap(({ stops }: any) => stops.map(({ locked }: any) => locked));
    expect(locks).to.have.length.of.at.least(ids.length + 1);
    expect(locks).to.not.include('manual');
  });

  it('have requirements of their orders: skills, service time; urgent ones are kept', async () => {
    const [special, slow, urgent] = await day.orders(3);
    const setPlanning = (id: number, body: object) => day.as('employee', `/orders/${id}`, { planning: body }, 'PATCH');
    expect((await setPlanning(special!, { required_skills: ['crane'] })).json.order.planning).to.deep.equal({
      required_skills: ['crane'],
    });
    await setPlanning(slow!, { service_time_s: 1_234, priority: 2 });
    await setPlanning(urgent!, { priority: 9 });
    expect((await day.order(slow!)).planning).to.deep.equal({ service_time_s: 1_234, priority: 2 });
    expect((await setPlanning(slow!, { priority: null })).json.order.planning).to.deep.equal({ service_time_s: 1_234 });
    await setPlanning(slow!, { priority: 2 });
    expect((await setPlanning(slow!, {})).json.order.planning, 'nothing given').to.deep.equal({
      service_time_s: 1_234,
      priority: 2,
    });
    const plan = await day.plan({
      order_ids: [special, slow, urgent],
      driver_ids: day.drivers.slice(0, 1),
      max_stops: 1,
      auto_commit: false,
    });
    expect(ordersIn(plan.routes[0].stops)).to.deep.equal([urgent]);
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const codes = Object.fromEntries(plan.unassigned.map((one: any) => [one.order_id, one.reasons[0].code]));
    expect(codes).to.deep.equal({ [special!]: 'SKILL_MISSING', [slow!]: 'NO_ROOM' });
    const alone = await day.plan({ order_ids: [slow], driver_ids: day.drivers.slice(0, 1), auto_commit: false });
    expect(alone.routes[0].service_s).to.equal(1_234);
  });

  it('of an unavailable driver go to the others', async () => {
    const { ids, routes } = await planned(6, 2);
    const [off, on] = routes;
    const plan = await day.plan({
      mode: 'reoptimize',
      route_ids: [off.route_id, on.route_id],
      driver_ids: [on.driver_id],
    });
    expect(plan.commit, JSON.stringify(plan.unassigned)).to.include({ moved: ordersIn(off.stops).length, skipped: 0 });
    expect(plan.routes).to.have.length(1);
    for (const id of ids) expect((await day.order(id)).route_id).to.equal(on.route_id);
  });

  it('are rebuilt from the log', () => expectSameReplay(t, ['plans', 'routes', 'orders']));
});
