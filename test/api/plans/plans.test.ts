/** Plans of routes over real HTTP: built, committed, replayed. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { waitForJob } from '../../support/eventually.js';

describe('plans of routes', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 3 });
  });
  after(() => t.stop());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const ordersOf = (plan: any): number[] =>
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    plan.routes.flatMap(({ stops }: any) => stops.flatMap(({ order_id }: any) => order_id ?? []));

  it('list the options of a request', async () => {
    const { status, json, text } = await day.as('auditor', '/route-plans/options');
    expect(status, text).to.equal(200);
    expect(json.engines[0]).to.deep.include({ id: 'builtin', version: '2', available: true });
    expect(json.engines[1]).to.deep.include({ id: 'vroom', available: false });
    expect(json.capacity_types).to.deep.include({ id: 'weight', unit: 'kg' });
  });

  it('put waiting orders onto drivers, and commit that', async () => {
    const ids = await day.orders(12);
    const plan = await day.plan({ order_ids: ids });
    expect(plan.status, JSON.stringify(plan)).to.equal('committed');
    expect(plan.summary).to.include({ order_count: 12, assigned_count: 12, unassigned_count: 0, before: null });
    expect(plan.summary.solver).to.include({ engine: 'builtin', version: '2', seed: 7, iterations: 2_000 });
    expect(plan.commit).to.deep.equal({ placed: 12, moved: 0, skipped: 0, errors: [] });
    expect(ordersOf(plan).sort()).to.deep.equal([...ids].sort());
    for (const { route_id, driver_id, stops } of plan.routes) {
      const { route } = (await day.as('client_admin', `/routes/${route_id}`)).json;
      expect(route).to.include({ driver_id, schedule_date: day.date, order_count: route.orders.length });
      const planned = stops.flatMap(({ order_id }: { order_id: number | null }) => order_id ?? []);
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      expect(route.orders.map(({ id }: any) => id)).to.deep.equal(planned);
    }
    expect((await day.order(ids[0]!)).status).to.equal('PLANNED');
  });

  it('change nothing until they are committed, and then once', async () => {
    const ids = await day.orders(4);
    const plan = await day.plan({ order_ids: ids, auto_commit: false });
    expect(plan.status).to.equal('solved');
    expect(plan.commit).to.equal(null);
    expect((await day.order(ids[0]!)).status).to.equal('NEW_ORDER');
    const commit = () => day.as('employee', `/route-plans/${plan.id}/commit`, { wait_s: 25 });
    const [first, second] = await Promise.all([commit(), commit()]);
    for (const { status, text } of [first, second]) expect(status, text).to.equal(202);
    expect((await commit()).json.route_plan.commit).to.deep.equal({ placed: 4, moved: 0, skipped: 0, errors: [] });
    const { json } = await day.as('client_admin', `/routes?schedule_date=${day.date}&per_page=200`);
    const ours = plan.routes.length;
    const named = json.routes.filter(({ name }: { name: string }) => name.startsWith(`Plan ${plan.id},`));
    expect(named).to.have.length(ours);
  });

  it('leave out orders that changed in the meantime, or commit nothing', async () => {
    const ids = await day.orders(3, (n) => ({ order_ref: `changing-${n}` }));
    const plan = await day.plan({ order_ids: ids, auto_commit: false });
    const time_windows = [{ stop: 'delivery', from: '09:00', to: '10:00' }];
    const { order_ref } = await day.order(ids[0]!);
    const changed = await day.as('client_admin', '/orders/time-windows', { order_refs: [order_ref], time_windows });
    expect(changed.status, changed.text).to.equal(200);
    await day.as('client_admin', `/orders/${ids[1]}/hold`, {});
    const at = `/route-plans/${plan.id}/commit`;
    const refused = await day.as('client_admin', at, { on_conflict: 'fail', wait_s: 25 });
    expect(refused.status, refused.text).to.equal(409);
    expect(refused.json.code).to.equal('PLAN_CONFLICT');
    expect((await day.order(ids[2]!)).status).to.equal('NEW_ORDER');
    const { json, text } = await day.as('client_admin', at, { wait_s: 25 });
    expect(json.route_plan.commit, text).to.include({ placed: 1, skipped: 2 });
    const codes = json.route_plan.commit.errors.map(({ code }: { code: string }) => code);
    expect(codes).to.deep.equal(['ORDER_CHANGED', 'ORDER_HELD']);
  });

  it('report why an order is on no route', async () => {
    const [far, heavy, nowhere] = await day.orders(3, (n) =>
      n === 0
        ? { time_windows: [{ stop: 'delivery', from: '03:00', to: '03:10' }] }
        : n === 1
          ? { packages: [{ weight_kg: 900 }] }
          : { delivery: { name: 'No Where', street: 'x', city: 'Berlin', postal_code: '10115', country: 'DE' } },
    );
    for (const id of day.drivers)
      await day.as('client_admin', `/drivers/${id}/capacity`, { max_weight_kg: 500 }, 'PUT');
    const [fits] = await day.orders(1);
    const plan = await day.plan({ order_ids: [far, heavy, nowhere, fits, 999_999], auto_commit: false });
    const codes = Object.fromEntries(
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      plan.unassigned.map(({ order_id, reasons }: any) => [order_id, reasons[0].code]),
    );
    expect(codes).to.deep.equal({
      [far!]: 'OUT_OF_HOURS',
      [heavy!]: 'EXCEEDS_CAPACITY',
      [nowhere!]: 'NOT_GEOCODED',
      999999: 'ORDER_NOT_FOUND',
    });
    const explained = await day.as('auditor', `/route-plans/${plan.id}/explain?order_id=${heavy}`);
    expect(explained.status, explained.text).to.equal(200);
    expect(explained.json.routes[0]).to.deep.include({ code: 'EXCEEDS_CAPACITY', delta_cost: null });
    await day.as('client_admin', `/route-plans/${plan.id}/discard`, {});
    const commit = await day.as('client_admin', `/route-plans/${plan.id}/commit`, {});
    expect(commit.json.code).to.equal('PLAN_NOT_READY');
  });

  it('routes 2: are reproduced to the same bytes, and not from a changed file', async () => {
    const ids = await day.orders(6);
    const plan = await day.plan({ order_ids: ids, auto_commit: false });
    const replay = async () => {
      const { json, text } = await day.as('auditor', `/route-plans/${plan.id}/replay`, {});
      expect(json.job.id, text).to.be.a('string');
      return waitForJob(() => day.as('auditor', `/jobs/${json.job.id}?wait_s=25`));
    };
    expect((await replay()).result).to.deep.include({ equal: true, solution_sha256: plan.summary.solution_sha256 });
    await t.service.engines.pool.query(
      'update access.job_artifacts set content = set_byte(content, 40, 255 - get_byte(content, 40)) where job = $1',
      [plan.job_id],
    );
    expect((await replay()).error.code).to.equal('ARTIFACT_DAMAGED');
  });

  it('insert more orders into a route whose stops keep their sequence and driver', async () => {
    const ids = await day.orders(5);
    const [driver] = day.drivers;
    const first = await day.plan({ order_ids: ids, driver_ids: [driver] });
    const { route_id } = first.routes[0];
    const more = await day.orders(2);
    const second = await day.plan({ mode: 'insert', route_ids: [route_id], order_ids: more });
    expect(second.commit, JSON.stringify(second.unassigned)).to.deep.include({ placed: 2, moved: 0 });
    expect(second.routes[0]).to.include({ route_id, driver_id: driver });
    expect(ordersOf(second).filter((id) => ids.includes(id))).to.deep.equal(ordersOf(first));
  });

  it('re-optimise routes, and loaded orders keep their driver', async () => {
    const ids = await day.orders(8);
    const plan = await day.plan({
      driver_ids: day.drivers.slice(0, 2),
      order_ids: ids,
      balance: { mode: 'stops', strength: 1, use_all: true },
    });
    const [one, other] = plan.routes;
    const inVan = one.stops.find(({ order_id }: { order_id: number }) => order_id).order_id as number;
    const { packages } = await day.order(inVan);
    const occurred_at = new Date().toISOString();
    const scan = { tracking_number: packages[0].tracking_number, status_code: 'out_for_delivery', occurred_at };
    const scanned = await day.as('employee', '/scans', scan);
    const again = await day.plan({
      mode: 'reoptimize',
      route_ids: [one.route_id, other.route_id],
      order_ids: [ids[0]],
    });
    const van = again.routes.find(({ stops }: { stops: { order_id: number }[] }) =>
      stops.some(({ order_id }) => order_id === inVan),
    );
    expect(van?.driver_id, scanned.text).to.equal(one.driver_id);
    expect(again.commit.errors).to.deep.equal([]);
    const read = await Promise.all(ids.map((id) => day.order(id)));
    for (const order of read) expect([one.route_id, other.route_id], JSON.stringify(order)).to.include(order.route_id);
  });

  it('routes 5: of a contractor cover only its own pool and drivers', async () => {
    // Outside the area that its rules allow it to plan.
    const area = { name: 'Far', street: 'x 1', city: 'Potsdam', postal_code: '14467', country: 'DE' };
    const position = { latitude: 52.4, longitude: 13.06 };
    const ids = await day.orders(2, () => ({ delivery: { ...area, position } }));
    const body = { schedule_date: day.date, wait_s: 25 };
    const none = await day.as('broker', '/../v3/client/build-route', body);
    expect(none.json.code).to.equal('NOTHING_TO_PLAN');
    const foreign = await day.as('broker', '/../v3/client/build-route', { ...body, driver_ids: day.drivers });
    expect(foreign.json.code).to.equal('UNKNOWN_DRIVER');
    const fleet_id = (await day.as('broker', '/fleets', { name: 'Own' })).json.fleet.id;
    const [, theirs] = day.drivers;
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: [theirs] }, 'PUT');
    const assigned = await day.as('client_admin', '/broker-order-assignments', {
      order_ids: [ids[0]],
      broker_id: t.demo.users.broker.id,
    });
    expect(assigned.status, assigned.text).to.be.below(300);
    const own = await day.plan({ order_ids: ids, driver_ids: [theirs] }, 'broker');
    expect(own.commit, JSON.stringify(own)).to.include({ placed: 1 });
    expect(own.unassigned).to.have.length(1);
    expect(own.unassigned[0].reasons[0].code).to.equal('ORDER_NOT_FOUND');
    const clients = await day.plan({ order_ids: ids, auto_commit: false });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    expect(clients.unassigned.map(({ reasons }: any) => reasons[0].code)).to.deep.equal(['ORDER_ON_ROUTE']);
    const mine = await day.plan({ order_ids: ids, auto_commit: false });
    expect((await day.as('broker', `/route-plans/${mine.id}`)).status).to.equal(404);
    expect((await day.as('other_client_admin', `/route-plans/${mine.id}`)).status).to.equal(404);
    expect((await day.as('other_client_admin', `/jobs/${mine.job_id}`)).status).to.equal(404);
    expect((await day.as('broker', `/jobs/${mine.job_id}`)).status).to.equal(404);
  });

  it('can be stopped with the best result so far, and cancelled without a result', async () => {
    const ids = await day.orders(10);
    const begin = async () => {
      const body = {
        schedule_date: day.date,
        order_ids: ids,
        auto_commit: false,
        driver_ids: day.drivers,
        budget: { time_limit_s: 60 },
      };
      const { json } = await day.as('client_admin', '/../v3/client/build-route', body);
      for (;;) {
        const { job } = (await day.as('client_admin', `/jobs/${json.route_plan.job_id}`)).json;
        if (job.step === 'solving') return json.route_plan as { id: number; job_id: string };
      }
    };
    const end = async (job: string, keepsRoutes: boolean) => {
      await day.as('client_admin', `/jobs/${job}/cancel`, { keep_result: keepsRoutes });
      return (await day.as('client_admin', `/jobs/${job}?wait_s=10`)).json.job;
    };
    const keptJob = await begin();
    expect(await end(keptJob.job_id, true)).to.include({ status: 'succeeded' });
    const plan = (await day.as('client_admin', `/route-plans/${keptJob.id}`)).json.route_plan;
    expect(plan.summary.solver.stopped).to.equal(true);
    expect(plan.summary.assigned_count).to.equal(10);
    const gone = await begin();
    expect(await end(gone.job_id, false)).to.include({ status: 'cancelled' });
    const { json } = await day.as('client_admin', `/route-plans/${gone.id}`);
    expect(json.route_plan.status).to.equal('discarded');
  });

  it('are rebuilt from the log', () => expectSameReplay(t, ['plans', 'planning', 'routes', 'orders']));
});
