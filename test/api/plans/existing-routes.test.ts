/** A driver who already has a route: new routes are planned around it, and the driver is not booked twice. */
import { expect } from 'chai';
import { addDays } from '../../../src/events/core/local-time.js';
import { expectCaughtUp } from '../../support/checks/caught-up.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventually } from '../../support/eventually.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('plans for drivers with an existing route', () => {
  let t: TestService;
  let day: Day;
  const clock = { ahead: 0 };
  before(async () => {
    t = await startTestService({ now: () => Date.now() + clock.ahead });
    day = await openDay(t, { drivers: 4 });
  });
  after(() => t.stop());

  const planFor = async (driver: number, members: object = {}, schedule_date = day.date) => {
    const ids = await day.orders(3, () => ({ schedule_date }));
    return { ids, plan: await day.plan({ order_ids: ids, driver_ids: [driver], ...members }) };
  };
  const commit = (plan: number, body: object = {}) =>
    day.as('client_admin', `/route-plans/${plan}/commit`, { wait_s: 25, ...body });
  const times = (route: { readonly start_at: string; readonly end_at: string }) =>
    [route.start_at, route.end_at].map((time) => Date.parse(time)) as [number, number];

  it('fit around it, before or after', async () => {
    const { plan: first } = await planFor(day.drivers[0]!);
    const { plan: second } = await planFor(day.drivers[0]!);
    expect(second.summary).to.include({ assigned_count: 3, unassigned_count: 0 });
    const { plan: third } = await planFor(day.drivers[0]!);
    const [a, b, c] = [first, second, third].map(({ routes }) => times(routes[0]));
    for (const [one, other] of [
      [a!, b!],
      [a!, c!],
      [b!, c!],
    ] as const)
      expect(one[1] <= other[0] || other[1] <= one[0], JSON.stringify([one, other])).to.equal(true);
  });

  it('commit nothing for a driver who got another route in the meantime', async () => {
    const [one, other] = [
      await planFor(day.drivers[1]!, { auto_commit: false }),
      await planFor(day.drivers[1]!, { auto_commit: false }),
    ];
    const done = await commit(one.plan.id);
    expect(done.json.route_plan.commit, done.text).to.include({ placed: 3, skipped: 0 });
    expect((await commit(other.plan.id, { on_conflict: 'fail' })).json.code).to.equal('PLAN_CONFLICT');
    const late = await commit(other.plan.id);
    const errors = late.json.route_plan.commit.errors as { order_id: number; code: string; message: string }[];
    expect(errors.map(({ order_id, code }) => [order_id, code])).to.deep.equal(
      other.ids.map((id) => [id, 'DRIVER_BOUND']),
    );
    expect(errors[0]!.message).to.include('another route');
    expect((await day.order(other.ids[0]!)).route_id).to.equal(null);
    // A new plan of the orders fits around the other route.
    const again = await day.plan({ order_ids: other.ids, driver_ids: [day.drivers[1]] });
    expect(again.commit).to.include({ placed: 3, skipped: 0 });
  });

  const caughtUp = () => expectCaughtUp(t.service, ['driver_times', 'routes', 'board', 'orders']);
  const reserved = async (driver: number) => {
    const sql = "select what from driver_times.driver_times where driver_id = $1 and active and what like 'route:%'";
    const { rows } = await t.service.engines.pool.query(sql, [driver]);
    return rows.map(({ what }: { readonly what: string }) => Number(what.slice('route:'.length)));
  };

  it('committed concurrently book a driver once', async () => {
    const [, , driver] = day.drivers as [number, number, number];
    const plans = [];
    for (let n = 0; n < 4; n += 1) plans.push((await planFor(driver, { auto_commit: false })).plan.id as number);
    const ended = await Promise.all(plans.map((plan) => commit(plan)));
    const commits = ended.map(({ json }) => json.route_plan.commit);
    expect(commits.map(({ placed }) => placed).sort(), ended[0]!.text).to.deep.equal([0, 0, 0, 3]);
    for (const { placed, errors } of commits)
      if (placed === 0)
        expect(errors.map(({ code }: { code: string }) => code)).to.deep.equal(Array(3).fill('DRIVER_BOUND'));
    await caughtUp();
    expect(await reserved(driver)).to.have.length(1);
    const { json } = await day.as('client_admin', `/routes?driver_id=${driver}`);
    expect(json.routes.map(({ id }: { id: number }) => id)).to.deep.equal(await reserved(driver));
  });

  it('free the driver’s time once nothing is on the route any more', async () => {
    const driver = day.drivers[3]!;
    const fleet_id = (await day.as('client_admin', '/fleets', { name: 'Beside' })).json.fleet.id;
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: [driver] }, 'PUT');
    const { plan, ids } = await planFor(driver);
    const [{ route_id, start_at, end_at }] = plan.routes;
    const posted = async () => {
      const body = { name: 'Posted', schedule_date: day.date };
      const { id: other } = (await day.as('client_admin', '/routes', body)).json.route;
      const post = { fleet_ids: [fleet_id], start_at, end_at };
      expect((await day.as('client_admin', `/route-board/${other}`, post, 'PUT')).status).to.equal(200);
      return other as number;
    };
    const give = async (route: number) =>
      (await day.as('client_admin', `/routes/${route}/driver`, { driver_id: driver }, 'PUT')).json;
    const empty = (route: number, order_ids: readonly number[]) =>
      day.as('client_admin', `/routes/${route}/orders/remove`, { order_ids });
    const other = await posted();
    expect(await give(other)).to.include({ code: 'TIME_TAKEN', what: `route:${route_id}` });
    await empty(route_id, ids);
    await day.as('client_admin', `/routes/${route_id}/close`, {});
    expect((await give(other)).route).to.include({ id: other, driver_id: driver });

    const { plan: next, ids: left } = await planFor(
      driver,
      { schedule_date: addDays(day.date, 1) },
      addDays(day.date, 1),
    );
    const full = next.routes[0].route_id as number;
    await day.as('client_admin', `/routes/${full}/close`, {});
    await caughtUp();
    expect(await reserved(driver), 'closed, and driven').to.have.members([other, full]);
    await empty(full, left);
    clock.ahead += 60_000;
    await eventually(async () => !(await reserved(driver)).includes(full), 'the end of the reservation');
    expect(await reserved(driver)).to.deep.equal([other]);
  });

  it('read the same after a rebuild', () => expectSameReplay(t, ['driver_times', 'board', 'routes']));
});
