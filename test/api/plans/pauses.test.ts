/** Requests do not wait for a plan: expensive computations of a plan run in worker threads. */
import { expect } from 'chai';
import { COMPUTATIONS } from '../../../src/api/areas/plans/worker-threads/computations.js';
import { watchThreads } from '../../support/checks/threads.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const ORDERS = 300;
/** Shifts of 75 minutes for each driver; every shift is a separate route. */
const SHIFTS = 12;

describe('plans and the event loop', () => {
  let t: TestService;
  let day: Day;
  let ids: number[];
  const work = { ...COMPUTATIONS };
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000' } });
    day = await openDay(t, { drivers: 12 });
    const fleet_id = (await day.as('client_admin', '/fleets', { name: 'Short' })).json.fleet.id;
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: day.drivers }, 'PUT');
    const at = (minutes: number) => new Date(Date.parse(`${day.date}T05:00:00Z`) + minutes * 60_000).toISOString();
    const shifts = day.drivers.flatMap((driver_id) =>
      Array.from({ length: SHIFTS }, (_, n) => ({ driver_id, start_at: at(n * 80), end_at: at(n * 80 + 75) })),
    );
    const made = await day.as('client_admin', `/fleets/${fleet_id}/shifts/batch`, { shifts });
    expect(made.status, made.text).to.equal(200);
    ids = await day.orders(ORDERS);
  });
  after(async () => {
    Object.assign(COMPUTATIONS, work);
    await t.stop();
  });

  it('matrix, files, check and reasons of a plan are computed off the main thread', async () => {
    // Threads load separate modules, so these wrappers are only called on the main thread.
    const inLoop: string[] = [];
    for (const [name, compute] of Object.entries(COMPUTATIONS))
      Object.assign(COMPUTATIONS, {
        [name]: (...args: never[]) => {
          inLoop.push(name);
          return (compute as (...args: never[]) => unknown)(...args);
        },
      });
    const threads = watchThreads();
    const plan = await day.plan({ order_ids: ids, max_stops: 2, auto_commit: false, budget: { iterations: 20 } });
    expect(plan.summary.order_count).to.equal(ORDERS);
    expect(plan.unassigned.length).to.be.within(5, 150);
    for (const { reasons } of plan.unassigned) expect(reasons[0].params).to.not.deep.equal([]);
    expect(inLoop).to.deep.equal([]);
    // The search starts one thread; the thread for the other computations may already exist.
    expect(threads.count()).to.be.at.least(1);
  });
});
