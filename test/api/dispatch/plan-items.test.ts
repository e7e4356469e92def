/** Items of the board about plans of routes. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import type { UserName } from '../../support/worlds/users.js';

describe('items of the dispatch board about plans', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    // No server listens there.
    t = await startTestService({ env: { OSRM_URL: 'http://127.0.0.1:9' } });
    day = await openDay(t, { drivers: 1 });
  });
  after(() => t.stop());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function openItems(kind: string, user: UserName = 'employee'): Promise<any[]> {
    const { status, json, text } = await day.as(user, `/dispatch/board?per_page=200&kinds=${kind}`);
    expect(status, text).to.equal(200);
    return json.items;
  }

  it('list a failed plan until it is decided, or the day is planned again', async () => {
    const order_ids = await day.orders(2);
    const plan = await day.plan({ order_ids, matrix: 'osrm' });
    expect(plan.status).to.equal('failed');
    const [item] = await openItems('plan_failed');
    expect(item).to.include({ id: `plan_failed:${plan.id}`, plan_id: plan.id, order_id: null, route_id: null });
    expect(item.title).to.equal('A route plan failed, and there is no newer plan for its day.');
    expect(item.facts).to.deep.include({ reason: 'MATRIX_UNAVAILABLE', date: day.date });
    expect(item.choices).to.deep.equal(['acknowledge', 'snooze', 'leave', 'contacted']);
    expect(await openItems('plan_failed', 'broker'), 'not theirs').to.deep.equal([]);
    const decide = (decision: string, more = {}) =>
      day.as('employee', `/dispatch/items/${item.id}/decisions`, { version: item.version, decision, ...more });
    expect((await decide('assign_driver', { arguments: { driver_id: 5 } })).status).to.equal(400);
    const decided = await decide('leave', { note: 'The map comes back at noon' });
    expect(decided.json, decided.text).to.include({ result: true, status: 'decided' });
    expect(await openItems('plan_failed')).to.deep.equal([]);
    expect((await day.as('employee', `/dispatch/items/${item.id}`)).json.item.status).to.equal('decided');
    expect((await day.plan({ order_ids, auto_commit: false })).status).to.equal('solved');
    const gone = await day.as('employee', `/dispatch/items/${item.id}`);
    expect([gone.status, gone.json.solved_by?.type]).to.deep.equal([404, 'PlanFailed']);
  });

  it('list the reason that blocked a committed plan, while it waits', async () => {
    const [changed, held, placed] = await day.orders(3, (n) => ({ order_ref: `item-${n}` }));
    const plan = await day.plan({ order_ids: [changed, held, placed], auto_commit: false });
    const time_windows = [{ stop: 'delivery', from: '09:00', to: '10:00' }];
    await day.as('client_admin', '/orders/time-windows', { order_refs: ['item-0'], time_windows });
    await day.as('client_admin', `/orders/${held}/hold`, {});
    const commit = await day.as('client_admin', `/route-plans/${plan.id}/commit`, { wait_s: 25 });
    expect(commit.json.route_plan.commit, commit.text).to.include({ placed: 1, skipped: 2 });
    const [item] = await openItems('plan_refused');
    expect(item.id).to.equal(`plan_refused:${plan.id}`);
    expect(item.facts.refused).to.deep.equal([{ order_id: changed, code: 'ORDER_CHANGED' }]);
    await day.as('client_admin', `/orders/${changed}/cancel`, {});
    expect(await openItems('plan_refused')).to.deep.equal([]);
  });

  it('read the same after a rebuild', () => expectSameReplay(t, ['plans', 'orders']));
});
