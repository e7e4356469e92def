/** Commits of plans whose input changed after they were made: they undo no decision of a user. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('commits of plans', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 4 });
  });
  after(() => t.stop());

  const USE_ALL = { balance: { mode: 'stops', strength: 1, use_all: true } };
  const commit = (plan: number, body: object = {}) =>
    day.as('client_admin', `/route-plans/${plan}/commit`, { wait_s: 25, ...body });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const ordersIn = ({ stops }: any): number[] => stops.flatMap(({ order_id }: any) => order_id ?? []);
  const errorsOf = (plan: { commit: { errors: { order_id: number; code: string }[] } }) =>
    Object.fromEntries(plan.commit.errors.map(({ order_id, code }) => [order_id, code]));
  const routeOf = async (driver: number, count: number) => {
    const ids = await day.orders(count);
    const { routes } = await day.plan({ order_ids: ids, driver_ids: [driver] });
    return { ids, routeId: routes[0].route_id as number };
  };

  it('end if a route was closed in the meantime: its orders are rejected, and the plan is committed', async () => {
    const { ids, routeId } = await routeOf(day.drivers[0]!, 2);
    const other = await routeOf(day.drivers[1]!, 2);
    const more = await day.orders(4);
    const plan = await day.plan({
      mode: 'reoptimize',
      route_ids: [routeId, other.routeId],
      order_ids: more,
      auto_commit: false,
      ...USE_ALL,
    });
    const closed = plan.routes.find(({ route_id }: { route_id: number }) => route_id === routeId);
    expect((await day.as('client_admin', `/routes/${routeId}/close`, {})).status).to.be.below(300);
    const before = (await day.as('client_admin', `/routes/${other.routeId}`)).json.route.orders;
    const failing = await commit(plan.id, { on_conflict: 'fail' });
    expect(failing.status, failing.text).to.equal(409);
    expect(failing.json).to.include({ code: 'PLAN_CONFLICT' });
    expect((await day.as('client_admin', `/routes/${other.routeId}`)).json.route.orders).to.deep.equal(before);
    const { json, text } = await commit(plan.id);
    expect(json.route_plan?.status, text).to.equal('committed');
    expect(errorsOf(json.route_plan)).to.deep.equal(
      Object.fromEntries(ordersIn(closed).map((id) => [id, 'ROUTE_CLOSED'])),
    );
    expect(json.route_plan.commit.placed).to.equal(more.filter((id) => !ordersIn(closed).includes(id)).length);
    for (const id of ids) expect((await day.order(id)).route_id).to.be.oneOf([routeId, other.routeId]);
  });

  it('run one of two concurrent selections of routes', async () => {
    const ids = await day.orders(8);
    const plan = await day.plan({
      order_ids: ids,
      driver_ids: day.drivers.slice(0, 2),
      auto_commit: false,
      ...USE_ALL,
    });
    expect(plan.routes).to.have.length(2);
    const both = await Promise.all([0, 1].map((index) => commit(plan.id, { route_indexes: [index] })));
    for (const { status, text } of both) expect(status, text).to.equal(202);
    const [one, other] = both.map(({ json }) => json.route_plan.commit);
    expect(one).to.deep.equal(other);
    const on = new Set((await Promise.all(ids.map((id) => day.order(id)))).map(({ route_id }) => route_id));
    expect([...on].filter((id) => id !== null)).to.have.length(1);
    expect(one.placed).to.equal(4);
    for (const route of plan.routes) {
      const places = await Promise.all(ordersIn(route).map(async (id) => (await day.order(id)).route_id));
      expect(new Set(places).size).to.equal(1);
    }
  });

  it('do not restore an order that a user removed from the route', async () => {
    const { ids, routeId } = await routeOf(day.drivers[0]!, 3);
    const more = await day.orders(1);
    const plan = await day.plan({ mode: 'insert', route_ids: [routeId], order_ids: more, auto_commit: false });
    const off = await day.as('client_admin', `/routes/${routeId}/orders/remove`, { order_ids: [ids[1]] });
    expect(off.status, off.text).to.be.below(300);
    const { json, text } = await commit(plan.id);
    expect(errorsOf(json.route_plan), text).to.deep.equal({ [ids[1]!]: 'ORDER_NOT_ON_ROUTE' });
    expect((await day.order(ids[1]!)).route_id).to.equal(null);
    expect((await day.order(more[0]!)).route_id).to.equal(routeId);
  });

  it('reject the orders of a route that has another driver now', async () => {
    const { ids, routeId } = await routeOf(day.drivers[0]!, 2);
    const more = await day.orders(1);
    const plan = await day.plan({ mode: 'insert', route_ids: [routeId], order_ids: more, auto_commit: false });
    const given = await day.as('client_admin', `/routes/${routeId}/driver`, { driver_id: day.drivers[2] }, 'PUT');
    expect(given.status, given.text).to.be.below(300);
    const { json, text } = await commit(plan.id);
    const codes = Object.fromEntries([...ids, ...more].map((id) => [id, 'ROUTE_DRIVER_CHANGED']));
    expect(errorsOf(json.route_plan), text).to.deep.equal(codes);
    expect((await day.order(more[0]!)).route_id).to.equal(null);
  });

  it('create no route for a driver who was disabled in the meantime', async () => {
    const ids = await day.orders(2);
    const plan = await day.plan({ order_ids: ids, driver_ids: [day.drivers[3]], auto_commit: false });
    const disabled = await day.as('client_admin', `/users/${day.drivers[3]}/disable`, {});
    expect(disabled.status, disabled.text).to.be.below(300);
    expect((await commit(plan.id, { on_conflict: 'fail' })).json.code).to.equal('PLAN_CONFLICT');
    const { json, text } = await commit(plan.id);
    expect(errorsOf(json.route_plan), text).to.deep.equal(Object.fromEntries(ids.map((id) => [id, 'UNKNOWN_DRIVER'])));
    expect(json.route_plan.routes[0].route_id).to.equal(null);
    expect((await day.as('client_admin', `/routes?driver_id=${day.drivers[3]}`)).json.routes).to.have.length(0);
  });

  it('reject an order that requires other skills now', async () => {
    const [id] = await day.orders(1);
    const plan = await day.plan({ order_ids: [id], driver_ids: [day.drivers[0]], auto_commit: false });
    const needs = { required_skills: ['crane'] };
    const response = await day.as('client_admin', `/orders/${id}`, { planning: needs }, 'PATCH');
    expect(response.status, response.text).to.be.below(300);
    const { json, text } = await commit(plan.id);
    expect(errorsOf(json.route_plan), text).to.deep.equal({ [id!]: 'ORDER_CHANGED' });
  });

  it('are rebuilt from the log', () => expectSameReplay(t, ['plans', 'routes', 'orders']));
});
