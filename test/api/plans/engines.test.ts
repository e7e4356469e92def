/** Plans over a street map, and by another engine: both services respond as documented. */
import { expect } from 'chai';
import { startOsrm, type OsrmServer } from '../../support/fakes/osrm.js';
import { startVroom, type VroomServer } from '../../support/fakes/vroom.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { waitForJob } from '../../support/eventually.js';

describe('plans with external engines', () => {
  let t: TestService;
  let day: Day;
  let osrm: OsrmServer;
  let vroom: VroomServer;
  before(async () => {
    [osrm, vroom] = await Promise.all([startOsrm(), startVroom()]);
    t = await startTestService({ env: { OSRM_URL: `${osrm.url}/`, OSRM_TABLE_SIZE: '3', VROOM_URL: vroom.url } });
    day = await openDay(t, { drivers: 2 });
  });
  after(async () => {
    await t.stop();
    await Promise.all([osrm.close(), vroom.close()]);
  });

  const build = (body: object) =>
    day.as('client_admin', '/../v3/client/build-route', {
      schedule_date: day.date,
      driver_ids: day.drivers,
      wait_s: 25,
      ...body,
    });
  const buildPlan = async (body: object) => {
    const { json, text } = await build(body);
    expect(json.route_plan, text).to.be.an('object');
    return json.route_plan;
  };
  const settings = (body: object) => day.as('client_admin', '/planning-settings', body, 'PATCH');

  it('list them among the options, with their capabilities', async () => {
    const { json } = await day.as('auditor', '/route-plans/options');
    expect(json.matrices).to.deep.equal([
      { id: 'haversine', available: true },
      { id: 'osrm', available: true },
    ]);
    const [, second] = json.engines;
    expect(second).to.deep.include({ id: 'vroom', available: true, capabilities: [] });
    expect(second.limits).to.deep.equal({ order_count: 1_000, resource_count: 200 });
  });

  it('use streets, and can be reproduced without the map', async () => {
    const ids = await day.orders(6);
    const budget = { iterations: 500, seed: 3 };
    const plan = await buildPlan({ order_ids: ids, matrix: 'osrm', budget, auto_commit: false });
    expect(plan.summary).to.include({ assigned_count: 6, matrix: 'osrm' });
    const { json } = await day.as('client_admin', `/jobs/${plan.job_id}`);
    const names = json.job.artifacts.map(({ name }: { name: string }) => name);
    expect(names).to.have.members(['matrix.bin', 'problem.json']);
    osrm.fail(500);
    const replay = await day.as('auditor', `/route-plans/${plan.id}/replay`, {});
    const job = await waitForJob(() => day.as('auditor', `/jobs/${replay.json.job.id}?wait_s=25`));
    expect(job.result, JSON.stringify(job)).to.deep.include({ equal: true, reason: null });
    osrm.fail(500, 0);
  });

  it('fail without the map, unless the business allows plans without it', async () => {
    const ids = await day.orders(3);
    await settings({ matrix: 'osrm' });
    osrm.fail(503);
    const failed = await buildPlan({ order_ids: ids });
    expect(failed).to.include({ status: 'failed', failure: 'MATRIX_UNAVAILABLE' });
    await settings({ matrix_fallback: true });
    const plan = await buildPlan({ order_ids: ids, budget: { iterations: 100 } });
    expect(plan).to.include({ status: 'committed' });
    expect(plan.summary).to.include({ matrix: 'haversine', assigned_count: 3 });
    osrm.fail(503, 0);
    await settings({ matrix: 'haversine', matrix_fallback: false });
  });

  it('can use another engine, are checked, have reasons of the service, and are committed', async () => {
    const ids = await day.orders(5, (n) =>
      n === 4 ? { time_windows: [{ stop: 'delivery', from: '03:00', to: '03:10' }] } : {},
    );
    const plan = await buildPlan({ order_ids: ids, engine: 'vroom', budget: { time_limit_s: 1 } });
    expect(plan.commit, JSON.stringify(plan)).to.include({ placed: 4 });
    expect(plan.summary.solver).to.include({ engine: 'vroom', version: '1' });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const reasons = plan.unassigned.map(({ reasons }: any) => reasons.map(({ code }: any) => code));
    expect(reasons).to.deep.equal([['OUT_OF_HOURS']]);
    const replay = await day.as('auditor', `/route-plans/${plan.id}/replay`, {});
    expect(replay.json).to.include({ code: 'ENGINE_LACKS' });
    expect(replay.status).to.equal(422);
  });

  it('are rejected if they break a rule', async () => {
    const ids = await day.orders(3, () => ({ time_windows: [{ stop: 'delivery', from: '09:00', to: '09:30' }] }));
    vroom.cheat((routes) => routes.map((route) => ({ ...route, steps: [...route.steps, route.steps[1]!] })));
    const plan = await buildPlan({ order_ids: ids, engine: 'vroom', budget: { time_limit_s: 1 } });
    expect(plan).to.include({ status: 'failed', failure: 'CHECK_FAILED' });
    const metrics = await (await fetch(`${t.url}/metrics`)).text();
    expect(metrics).to.match(/route_plan_checks_failed_total\{solver="vroom@[^"]+"\} 1/);
    vroom.cheat((routes) => routes);
    vroom.fail(500);
    const silent = await buildPlan({ order_ids: ids, engine: 'vroom', budget: { time_limit_s: 1 } });
    expect(silent).to.include({ status: 'failed', failure: 'ENGINE_FAILED' });
    vroom.fail(500, 0);
  });

  it('are rejected if the engine lacks a requested feature', async () => {
    const ids = await day.orders(1);
    for (const [feature, more] of [
      ['balance', { balance: { mode: 'stops' } }],
      ['iterations', { budget: { iterations: 100 } }],
      ['seed', { budget: { time_limit_s: 1, seed: 4 } }],
      ['max_route_minutes', { max_route_minutes: 60 }],
    ] as const) {
      const { status, json } = await build({ order_ids: ids, engine: 'vroom', ...more });
      expect([status, json.code], feature).to.deep.equal([422, 'ENGINE_LACKS']);
      expect(json.message).to.contain(feature);
    }
  });
});
