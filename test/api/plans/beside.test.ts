/** A driver who has a route already: planned beside it, and not bound twice. */
import { expect } from 'chai';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('plans for drivers who have a route already', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t);
  });
  after(() => t.stop());

  const planFor = async (driver: number, members: object = {}) => {
    const ids = await day.orders(3);
    return { ids, plan: await day.plan({ order_ids: ids, driver_ids: [driver], ...members }) };
  };
  const commit = (plan: number, body: object = {}) =>
    day.as('client_admin', `/../v3/client/build-route/${plan}/commit`, { wait_s: 25, ...body });
  const times = (route: { readonly start: string; readonly end: string }) =>
    [route.start, route.end].map((time) => Date.parse(time)) as [number, number];

  it('lie beside it, before or behind', async () => {
    const { plan: first } = await planFor(day.drivers[0]!);
    const { plan: second } = await planFor(day.drivers[0]!);
    expect(second.summary).to.include({ assigned: 3, unassigned: 0 });
    const { plan: third } = await planFor(day.drivers[0]!);
    const [a, b, c] = [first, second, third].map(({ routes }) => times(routes[0]));
    for (const [one, other] of [
      [a!, b!],
      [a!, c!],
      [b!, c!],
    ] as const)
      expect(one[1] <= other[0] || other[1] <= one[0], JSON.stringify([one, other])).to.equal(true);
  });

  it('commit nothing onto who got another route for the time since', async () => {
    const [one, other] = [
      await planFor(day.drivers[1]!, { auto_commit: false }),
      await planFor(day.drivers[1]!, { auto_commit: false }),
    ];
    const done = await commit(one.plan.plan_id);
    expect(done.json.plan.commit, done.text).to.include({ placed: 3, skipped: 0 });
    expect((await commit(other.plan.plan_id, { on_conflict: 'fail' })).json.code).to.equal('PLAN_CONFLICT');
    const late = await commit(other.plan.plan_id);
    const errors = late.json.plan.commit.errors as { order_id: number; code: string; message: string }[];
    expect(errors.map(({ order_id, code }) => [order_id, code])).to.deep.equal(
      other.ids.map((id) => [id, 'DRIVER_BOUND']),
    );
    expect(errors[0]!.message).to.include('another route');
    expect((await day.order(other.ids[0]!)).route_id).to.equal(null);
    // Planned once more they fit beside it.
    const again = await day.plan({ order_ids: other.ids, driver_ids: [day.drivers[1]] });
    expect(again.commit).to.include({ placed: 3, skipped: 0 });
  });
});
