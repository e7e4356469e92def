/** Who reads does not wait for who plans: what a plan takes long to compute is done in threads. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const ORDERS = 300;
/** Of 75 minutes, for each driver: every shift is a route of its own. */
const SHIFTS = 12;
/** A pause that others on the machine make does not come again each time. */
const TRIES = 3;
/** In the process itself the check and the reasons alone are a pause of 1,000 ms and more; in threads all are below 150. */
const MOST_MS = 500;

describe('plans and the event loop', () => {
  let t: TestService;
  let day: Day;
  let ids: number[];
  before(async function () {
    this.timeout(120_000);
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000' } });
    day = await openDay(t, { drivers: 12 });
    const { fleet_id } = (await day.as('client_admin', '/fleets', { name: 'Short' })).json;
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: day.drivers }, 'PUT');
    const at = (minutes: number) => new Date(Date.parse(`${day.date}T05:00:00Z`) + minutes * 60_000).toISOString();
    const shifts = day.drivers.flatMap((driver_id) =>
      Array.from({ length: SHIFTS }, (_, n) => ({ driver_id, start_at: at(n * 80), end_at: at(n * 80 + 75) })),
    );
    const made = await day.as('client_admin', `/fleets/${fleet_id}/shifts`, { shifts });
    expect(made.status, made.text).to.equal(201);
    ids = await day.orders(ORDERS);
  });
  after(() => t.stop());

  /** The longest pause of the loop, in milliseconds, while a plan is made. */
  async function longestPause(): Promise<number> {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const plan = await day.plan({ order_ids: ids, max_stops: 2, auto_commit: false, budget: { iterations: 20 } });
    delay.disable();
    expect(plan.summary.orders).to.equal(ORDERS);
    expect(plan.unassigned.length).to.be.within(5, 150);
    for (const { reasons } of plan.unassigned) expect(reasons[0].params).to.not.deep.equal([]);
    return delay.max / 1e6;
  }

  it('go on side by side: no pause is half as long as the check and the reasons', async function () {
    this.timeout(120_000);
    const pauses: number[] = [];
    while (pauses.length < TRIES) pauses.push(await longestPause());
    expect(Math.min(...pauses)).to.be.below(MOST_MS);
  });
});
