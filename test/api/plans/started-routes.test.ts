/** Routes that plans created: their vehicle and their progress. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('routes under way', () => {
  let t: TestService;
  let day: Day;
  let fleet: number;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 1 });
    fleet = (await day.as('client_admin', '/fleets', { name: 'Vans' })).json.fleet.id;
    await day.as('client_admin', `/fleets/${fleet}/drivers`, { driver_ids: day.drivers }, 'PUT');
    await day.as('client_admin', `/fleets/${fleet}/vehicles`, { vehicles: [{ id: 'V1', name: 'Van' }] }, 'PUT');
    const [start_at, end_at] = [`${day.date}T06:00:00Z`, `${day.date}T16:00:00Z`];
    const shifts = [{ driver_id: day.drivers[0], vehicle_id: 'V1', start_at, end_at }];
    const made = await day.as('client_admin', `/fleets/${fleet}/shifts/batch`, { shifts });
    expect(made.status, made.text).to.equal(200);
  });
  after(() => t.stop());

  it('have their vehicle, start and finish time, and accept no more orders then', async () => {
    const plan = await day.plan({ order_ids: await day.orders(2) });
    const { route_id } = plan.routes[0];
    const shown = async () => (await day.as('client_admin', `/routes/${route_id}`)).json.route;
    const before = await shown();
    expect(before).to.include({ vehicle_id: 'V1', fleet_id: fleet, kind: 'tour' });
    expect(before).to.include({ started_at: null, finished_at: null });
    expect(before.stage).to.equal('planned');
    const run = async (what: string) => {
      const answer = await day.as('client_admin', `/routes/${route_id}/${what}`, {});
      expect(answer.status, answer.text).to.equal(200);
      return shown();
    };
    const started = await run('start');
    expect(started.stage).to.equal('under_way');
    expect(started.started_at).to.be.a('string');
    const finished = await run('finish');
    expect(finished.stage).to.equal('finished');
    expect(finished.finished_at >= started.started_at).to.equal(true);

    const more = await day.orders(1);
    const request = { schedule_date: day.date, mode: 'insert', route_ids: [route_id], order_ids: more };
    const refused = await day.as('client_admin', '/../v3/client/build-route', request);
    expect([refused.status, refused.json.code], refused.text).to.deep.equal([409, 'ROUTE_FINISHED']);
  });

  it('without a plan have no vehicle', async () => {
    const { json } = await day.as('client_admin', '/routes', { name: 'By hand', schedule_date: day.date });
    const { route } = (await day.as('client_admin', `/routes/${json.route.id}`)).json;
    expect(route).to.include({ vehicle_id: null, fleet_id: null, kind: 'tour' });
  });

  it('read the same after a rebuild, and the log has the options of the commit', async () => {
    await expectSameReplay(t, ['routes', 'plans']);
    const { rows } = await t.service.engines.pool.query(`select commit->>'on_conflict' as said from plans.plans`);
    expect(rows).to.deep.equal([{ said: 'skip' }]);
  });
});
