/**
 * Requests for plans and the input of plans: the right day, all drivers, the named orders, the maximum number at once.
 */
import { expect } from 'chai';
import { addDays } from '../../../src/events/core/local-time.js';
import { callTool } from '../../support/clients/mcp.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const PLANS = '/route-plans';

describe('requests for plans and their input', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 3 });
  });
  after(() => t.stop());

  const ask = (body: object, user: Parameters<Day['as']>[0] = 'client_admin') =>
    day.as(user, PLANS, { budget: { iterations: 200 }, wait_s: 25, ...body });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const reasonsOf = (plan: any): Record<string, string> =>
    Object.fromEntries(
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      plan.unassigned.map(({ order_id, reasons }: any) => [order_id, reasons[0].code]),
    );

  it('accept many windows, and leave out orders larger than any vehicle', async () => {
    const pad = (hour: number) => String(hour).padStart(2, '0');
    const time_windows = [...Array(10).keys()].map((n) => ({
      stop: 'delivery',
      from: `${pad(7 + n)}:00`,
      to: `${pad(7 + n)}:30`,
    }));
    const [often, huge, usual] = await day.orders(3, (n) =>
      n === 0 ? { time_windows } : n === 1 ? { packages: [{ weight_kg: 100_000 }, { weight_kg: 100_000 }] } : {},
    );
    const plan = await day.plan({ order_ids: [often, huge, usual], auto_commit: false });
    expect(plan.status).to.equal('solved');
    expect(plan.summary).to.include({ assigned_count: 2, unassigned_count: 1 });
    expect(reasonsOf(plan)).to.deep.equal({ [huge!]: 'EXCEEDS_CAPACITY' });
    const expensive = await ask({ order_ids: [usual], schedule_date: day.date, prices: { per_route: '100001' } });
    expect(expensive.status, expensive.text).to.equal(400);
    const prices = { per_route: '100000', per_km: '100000', per_hour: '100000' };
    expect((await day.plan({ order_ids: [usual], prices, auto_commit: false })).status).to.equal('solved');
  });

  it('use only the day of the routes that are planned again', async () => {
    const { routes } = await day.plan({ order_ids: await day.orders(2), driver_ids: [day.drivers[0]] });
    const route_ids = [routes[0].route_id];
    const order_ids = await day.orders(1);
    const { json, status, text } = await ask({ mode: 'insert', route_ids, order_ids, auto_commit: false });
    expect(status, text).to.equal(202);
    expect(json.route_plan.schedule_date).to.equal(day.date);
    expect(json.route_plan.routes[0].start_at.slice(0, 10)).to.equal(day.date);
    const otherDay = { mode: 'reoptimize', route_ids, schedule_date: addDays(day.date, 1) };
    expect((await ask(otherDay)).json).to.include({ code: 'ROUTE_OF_ANOTHER_DAY' });
  });

  it('allow a contractor to name an order of a later day', async () => {
    const fleet_id = (await day.as('broker', '/fleets', { name: 'Own' })).json.fleet.id;
    const put = await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: [day.drivers[1]] }, 'PUT');
    expect(put.status, put.text).to.equal(200);
    const [id] = await day.orders(1, () => ({ schedule_date: addDays(day.date, 3) }));
    const broker_id = t.demo.users.broker.id;
    const given = await day.as('client_admin', '/broker-order-assignments', { order_ids: [id], broker_id });
    expect(given.status, given.text).to.be.below(300);
    const plan = await day.plan({ order_ids: [id], driver_ids: [day.drivers[1]], auto_commit: false }, 'broker');
    expect(plan.summary).to.include({ assigned_count: 1, unassigned_count: 0 });
    // The client may read the plan, but not commit or discard it.
    expect((await day.as('client_admin', `${PLANS}/${plan.id}`)).status).to.equal(200);
    for (const step of ['commit', 'discard']) {
      const refused = await day.as('client_admin', `${PLANS}/${plan.id}/${step}`, {});
      expect(refused.status, refused.text).to.equal(403);
    }
    expect((await day.as('broker', `${PLANS}/${plan.id}/discard`, {})).status).to.equal(200);
  });

  it('name held and assigned orders, even if the request does not; so does a dry run', async () => {
    const schedule_date = addDays(day.date, 5);
    const [held, assigned, free] = await day.orders(3, () => ({ schedule_date }));
    await day.as('client_admin', `/orders/${held}/hold`, {});
    const broker_id = t.demo.users.broker.id;
    await day.as('client_admin', '/broker-order-assignments', { order_ids: [assigned], broker_id });
    const expectedCodes = { [held!]: 'ORDER_HELD', [assigned!]: 'ASSIGNED_TO_CONTRACTOR' };
    const body = { schedule_date, pool: 'date', commit_partial: false };
    const { structuredContent: dry } = await callTool(t, 'build_route', body, {
      token: await signIns(t)('client_admin'),
      headers: { 'x-mcp-dry-run': '1' },
    });
    const { would_plan } = dry['would_answer'] as { would_plan: Record<string, unknown> };
    expect(would_plan, JSON.stringify(dry)).to.include({ order_count: 1, excluded_count: 2 });
    expect(would_plan['excluded_orders']).to.deep.equal(
      Object.entries(expectedCodes).map(([id, code]) => ({ order_id: Number(id), code })),
    );
    const plan = await day.plan(body);
    expect(reasonsOf(plan)).to.deep.equal(expectedCodes);
    // The held-back orders were not requested, so the plan is complete without them.
    expect(plan.commit, plan.status).to.include({ placed: 1 });
    expect((await day.order(free!)).status).to.equal('PLANNED');
  });

  it('count what a route has collected and driven before against its limits', async () => {
    const van = day.drivers[0]!;
    await day.as('client_admin', `/drivers/${van}/capacity`, { max_orders: 3 }, 'PUT');
    const pickup = (n: number) => ({
      type: 'P',
      delivery: undefined,
      pickup: {
        name: 'Sender',
        street: `Street ${n}`,
        city: 'Berlin',
        postal_code: '10115',
        country: 'DE',
        position: { latitude: 52.53 + n / 1_000, longitude: 13.41 },
      },
    });
    const first = await day.orders(2, pickup);
    const { routes } = await day.plan({ order_ids: first, driver_ids: [van] });
    for (const id of first) {
      const tracking_number = (await day.order(id)).packages[0].tracking_number;
      const scan = { tracking_number, status_code: 'picked_up', occurred_at: new Date().toISOString() };
      const scanned = await day.as('employee', '/scans', scan);
      expect(scanned.status, scanned.text).to.be.below(300);
    }
    const route_ids = [routes[0].route_id];
    const insert = async (members: object) =>
      day.plan({ mode: 'insert', route_ids, order_ids: await day.orders(3, pickup), auto_commit: false, ...members });
    const plan = await insert({});
    expect(plan.summary).to.include({ assigned_count: 1, unassigned_count: 2 });
    expect(plan.routes[0].load_peak[0]).to.deep.equal({ type: 'orders', used: 3, limit: 3 });
    await day.as('client_admin', `/drivers/${van}/capacity`, { max_orders: 50 }, 'PUT');
    expect((await insert({ max_stops: 4 })).summary).to.include({ assigned_count: 2, unassigned_count: 1 });
    expect((await insert({ max_stops: 2 })).summary).to.include({ assigned_count: 0, unassigned_count: 3 });
  });

  it('report where an order stays that a new plan of its route leaves out', async () => {
    const driver = day.drivers[1]!;
    const ids = await day.orders(3);
    const { routes } = await day.plan({ order_ids: ids, driver_ids: [driver] });
    const { route_id } = routes[0];
    const plan = await day.plan({ mode: 'reoptimize', route_ids: [route_id], max_stops: 2 });
    expect(plan.unassigned).to.have.length(1);
    expect(plan.unassigned[0]).to.deep.include({ route_id });
    expect((await day.order(plan.unassigned[0].order_id)).route_id).to.equal(route_id);
  });

  it('are limited to four at once, for any number of concurrent requests', async () => {
    const order_ids = await day.orders(2);
    const body = { schedule_date: day.date, order_ids, driver_ids: day.drivers, auto_commit: false, wait_s: 0 };
    const many = await Promise.all([...Array(10).keys()].map(() => ask({ ...body, budget: { time_limit_s: 60 } })));
    const accepted = many.filter(({ status }) => status === 202);
    expect(accepted).to.have.length(4);
    expect(many.filter(({ json }) => json.code === 'TOO_MANY_JOBS')).to.have.length(6);
    await Promise.all(accepted.map(({ json }) => day.as('client_admin', `/jobs/${json.route_plan.job_id}/cancel`, {})));
    for (const { json } of accepted) await day.as('client_admin', `/jobs/${json.route_plan.job_id}?wait_s=20`);
  });

  it('find a driver with any number of older accounts', async () => {
    // As if 210 more accounts had been created before the last one.
    await t.service.engines.pool.query(
      `insert into accounts.accounts select (jsonb_populate_record(a, jsonb_build_object('id', a.id - 1000 - n))).*
         from accounts.accounts a, generate_series(1, 210) n where a.id = $1`,
      [day.drivers[2]],
    );
    const order_ids = await day.orders(1);
    const plan = await day.plan({ order_ids, driver_ids: [day.drivers[2]], auto_commit: false });
    expect(plan.routes[0].driver_id).to.equal(day.drivers[2]);
    const all = await ask({ schedule_date: day.date, order_ids });
    expect(all.json).to.include({ code: 'ENGINE_LIMIT' });
  });
});
