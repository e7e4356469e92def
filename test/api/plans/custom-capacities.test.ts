/** Plans by capacity types that the business defines. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { waitForJob } from '../../support/eventually.js';

const PALLETS = 'custom:pallets';

describe('plans by custom capacity types', () => {
  let t: TestService;
  let day: Day;
  let fleet: number;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 1 });
    fleet = (await day.as('client_admin', '/fleets', { name: 'Trucks' })).json.fleet.id;
    await day.as('client_admin', `/fleets/${fleet}/drivers`, { driver_ids: day.drivers }, 'PUT');
  });
  after(() => t.stop());

  const vehicles = (custom: object[]) =>
    day.as(
      'client_admin',
      `/fleets/${fleet}/vehicles`,
      { vehicles: [{ id: 'TRUCK', name: 'Truck', capacity: { orders: 50, custom } }] },
      'PUT',
    );
  const size = (order: number, amount: number | null, name = 'pallets') =>
    day.as(
      'employee',
      `/orders/${order}`,
      { planning: { custom_sizes: amount === null ? null : [{ name, amount }] } },
      'PATCH',
    );
  const planOf = (order_ids: readonly number[], more = {}) => day.plan({ order_ids, auto_commit: false, ...more });

  it('have only names from the settings', async () => {
    for (const answer of [
      await vehicles([{ name: 'pallets', amount: 2.5 }]),
      await size((await day.orders(1))[0]!, 1),
      await day.as('client_admin', '/../v3/client/build-route', { schedule_date: day.date, capacity_types: [PALLETS] }),
    ])
      expect([answer.status, answer.json.code], answer.text).to.deep.equal([422, 'UNKNOWN_CAPACITY']);
    const twice = { custom_capacities: [1, 2].map(() => ({ name: 'pallets', unit: 'places' })) };
    expect((await day.as('client_admin', '/planning-settings', twice, 'PATCH')).status).to.equal(400);
    const own = { custom_capacities: [{ name: 'pallets', unit: 'places' }] };
    const set = await day.as('client_admin', '/planning-settings', own, 'PATCH');
    expect(set.json.planning_settings, set.text).to.deep.include(own);
    const { json } = await day.as('auditor', '/route-plans/options');
    expect(json.capacity_types).to.deep.include({ id: PALLETS, unit: 'places' });
    expect((await vehicles([{ name: 'pallets', amount: 2.5 }])).status).to.equal(200);
    const shown = (await day.as('client_admin', `/fleets/${fleet}`)).json.fleet.vehicles[0];
    expect(shown.capacity).to.deep.equal({ orders: 50, custom: [{ name: 'pallets', amount: 2.5 }] });
    const hours = { start_at: `${day.date}T06:00:00Z`, end_at: `${day.date}T16:00:00Z` };
    const shift = { driver_id: day.drivers[0], vehicle_id: 'TRUCK', ...hours };
    const made = await day.as('client_admin', `/fleets/${fleet}/shifts/batch`, { shifts: [shift] });
    expect(made.status, made.text).to.equal(200);
  });

  it('load no more onto a vehicle than its capacity, and report orders that are too large', async () => {
    const ids = await day.orders(3);
    for (const [index, amount] of [1.5, 1.5, 4].entries())
      expect((await size(ids[index]!, amount)).json.order.planning).to.deep.equal({
        custom_sizes: [{ name: 'pallets', amount }],
      });
    const plan = await planOf(ids);
    expect(plan.routes).to.have.length(1);
    const peak = plan.routes[0].load_peak.find(({ type }: { type: string }) => type === PALLETS);
    expect(peak).to.deep.equal({ type: PALLETS, used: 1.5, limit: 2.5 });
    const remaining = Object.fromEntries(
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      plan.unassigned.map(({ order_id, reasons }: any) => [order_id, reasons[0]]),
    );
    expect(remaining[ids[2]!]).to.deep.include({
      code: 'EXCEEDS_CAPACITY',
      params: [{ name: 'type', value: PALLETS }],
    });
    const otherOrder = ids.slice(0, 2).find((id) => remaining[id])!;
    expect(remaining[otherOrder].code).to.equal('NO_ROOM');
    const read = `/route-plans/${plan.id}`;
    const explained = await day.as('auditor', `${read}/explain?order_id=${otherOrder}`);
    expect(explained.json.routes[0]).to.deep.include({ code: 'EXCEEDS_CAPACITY', by: 500 });
    const { json } = await day.as('auditor', `${read}/replay`, {});
    const job = await waitForJob(() => day.as('auditor', `/jobs/${json.job.id}?wait_s=25`));
    expect(job.result).to.deep.include({ equal: true, solution_sha256: plan.summary.solution_sha256 });
  });

  it('exclude a driver with too small a vehicle from a route of the board', async () => {
    const ids = await day.orders(2);
    const good = async (path: string, body: object | undefined, method = 'POST') => {
      const { status, json, text } = await day.as('client_admin', path, body, method);
      expect(status, text).to.be.below(300);
      return json;
    };
    const { id: route_id } = (await good('/routes', { name: 'Posted', schedule_date: day.date })).route;
    await good(`/routes/${route_id}/orders`, { order_ids: ids });
    const hours = { start_at: `${day.date}T07:00:00Z`, end_at: `${day.date}T15:00:00Z` };
    await good(`/route-board/${route_id}`, { fleet_ids: [fleet], ...hours }, 'PUT');
    const denialReason = async (amount: number) => {
      for (const id of ids) await size(id, amount);
      const { json } = await day.as('driver', '/route-board');
      return json.board_routes.find((one: { id: number }) => one.id === route_id).why_not;
    };
    expect([await denialReason(1.25), await denialReason(1.5)]).to.deep.equal([null, 'VEHICLE_TOO_SMALL']);
    await good(`/route-board/${route_id}`, undefined, 'DELETE');
  });

  it('use or ignore them as a request says, and use the sizes of the order', async () => {
    const ids = await day.orders(2);
    for (const id of ids) await size(id, 2);
    expect((await planOf(ids)).summary.assigned_count).to.equal(1);
    const without = await planOf(ids, { capacity_types: ['weight', 'orders'] });
    expect(without.summary.assigned_count).to.equal(2);
    expect(without.routes[0].load_peak).to.deep.equal([
      { type: 'orders', used: 2, limit: 50 },
      { type: 'weight', used: 4, limit: 900 },
    ]);
    const orders = [{ order_id: ids[0], custom_sizes: [{ name: 'pallets', amount: 0.5 }] }];
    expect((await planOf(ids, { orders })).summary.assigned_count).to.equal(2);
  });

  it('reject an order whose size has changed since', async () => {
    const [order] = await day.orders(1);
    await size(order!, 1);
    const plan = await planOf([order!]);
    await size(order!, 2);
    const commit = await day.as('employee', `/route-plans/${plan.id}/commit`, { wait_s: 25 });
    expect(commit.json.route_plan.commit.errors[0], commit.text).to.include({ code: 'ORDER_CHANGED' });
    expect((await size(order!, null)).text).to.not.include('pallets');
  });

  it('read the same after a rebuild', () => expectSameReplay(t, ['plans', 'planning', 'fleets', 'orders']));
});
