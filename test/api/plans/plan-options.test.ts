/** Requests for plans: contradictory input is rejected, and no input is ignored. */
import { expect } from 'chai';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('requests for a plan', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService({ env: { ROAD_FACTOR: '1.5' } });
    day = await openDay(t, { drivers: 1 });
  });
  after(() => t.stop());

  const build = (body: object) =>
    day.as('client_admin', '/../v3/client/build-route', { schedule_date: day.date, ...body });
  const pathsOf = async (body: object): Promise<string[]> => {
    const { status, json, text } = await build(body);
    expect(status, text).to.equal(400);
    return json.errors.map(({ path }: { path: string }) => path);
  };

  it('are rejected if a field would be ignored', async () => {
    const [order] = await day.orders(1);
    expect(await pathsOf({ route_ids: [999_999] })).to.deep.equal(['/route_ids']);
    const insert = { mode: 'insert', route_ids: [1], driver_ids: day.drivers, fleet_ids: [1] };
    expect(await pathsOf(insert)).to.deep.equal(['/driver_ids', '/fleet_ids']);
    expect(await pathsOf({ mode: 'reoptimize', route_ids: [1], fleet_ids: [1] })).to.deep.equal(['/fleet_ids']);
    expect(await pathsOf({ mode: 'reoptimize' })).to.deep.equal(['/route_ids']);
    expect(await pathsOf({ budget: { time_limit_s: 2.5, iterations: 100 } })).to.deep.equal(['/budget/time_limit_s']);
    const other = { order_ids: [order], orders: [{ order_id: order! + 1_000, priority: 9 }] };
    expect(await pathsOf(other)).to.deep.equal(['/orders/0/order_id']);
    const twice = { order_ids: [order], orders: [{ order_id: order, priority: 9 }, { order_id: order }] };
    expect(await pathsOf(twice)).to.deep.equal(['/orders/1/order_id']);
  });

  it('are rejected with a window that ends before it begins', async () => {
    const [order] = await day.orders(1);
    const time_windows = [{ stop: 'delivery', from: '16:00', to: '09:00' }];
    const paths = await pathsOf({ order_ids: [order], orders: [{ order_id: order, time_windows }] });
    expect(paths).to.deep.equal(['/orders/0/time_windows/0/to']);
  });

  it('list the locks of the options', async () => {
    const { json } = await day.as('auditor', '/route-plans/options');
    expect(json.locks).to.deep.equal(['done', 'van', 'pin', 'manual']);
  });

  it('add a break after long driving, from the request or the settings', async () => {
    // About two hours there and back.
    const [far] = await day.orders(1, () => ({
      delivery: {
        name: 'Far',
        street: 'Far 1',
        city: 'Frankfurt (Oder)',
        postal_code: '15230',
        country: 'DE',
        position: { latitude: 52.34, longitude: 14.55 },
      },
    }));
    const ask = { order_ids: [far], driver_ids: day.drivers, auto_commit: false };
    const usual = { start_time: '06:00', end_time: '22:00', breaks: [] };
    const settings = async (default_shift: object) => {
      const answer = await day.as('client_admin', '/planning-settings', { default_shift }, 'PATCH');
      expect(answer.status, answer.text).to.equal(200);
    };
    await settings(usual);
    const kinds = (plan: { routes: { stops: { kind: string }[] }[] }) => plan.routes[0]!.stops.map(({ kind }) => kind);
    const without = await day.plan(ask);
    expect(kinds(without)).to.deep.equal(['delivery']);
    const { drive_s } = without.routes[0];
    const after_s = Math.ceil(drive_s * 0.75);
    const requestedPlan = await day.plan({ ...ask, drive_break: { after_s, duration_s: 2_700 } });
    expect(kinds(requestedPlan)).to.include('break');
    expect(requestedPlan.routes[0].break_s).to.equal(2_700);
    await settings({ ...usual, drive_break: { after_s, duration_s: 1_800 } });
    const set = await day.plan(ask);
    expect(set.routes[0].break_s).to.equal(1_800);
    // A single leg that is longer than the maximum driving time without a break.
    const never = await day.plan({ ...ask, drive_break: { after_s: 1_800, duration_s: 2_700 } });
    expect(never.unassigned[0].reasons[0].code).to.equal('TRIP_TOO_LONG');
  });

  it('use the road factor of the installation until a business sets its own', async () => {
    const read = await day.as('client_admin', '/planning-settings');
    expect(read.json.planning_settings.road_factor_percent, read.text).to.equal(150);
  });
});
