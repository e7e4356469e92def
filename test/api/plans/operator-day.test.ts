/** The day of an operator: staff import and plan the orders of the morning, drivers deliver them, staff solve problems. */
import { expect } from 'chai';
import { openDay, type Day } from '../../support/worlds/day.js';
import { dayIn } from '../../support/worlds/days.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { atDepth } from '../../support/depth.js';

const ORDERS = atDepth(200, 60);
const HEADER =
  'order_ref,schedule_date,delivery.name,delivery.street,delivery.city,delivery.postal_code,delivery.country,package.weight_kg,window.from,window.to';

describe('the day of an operator', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 12 });
  });
  after(() => t.stop());

  const good = async (...call: Parameters<Day['as']>) => {
    const answer = await day.as(...call);
    expect(answer.status, answer.text).to.be.below(300);
    return answer.json;
  };
  const street = (n: number): string => `Musterweg ${n + 1}`;

  it(`${ORDERS} orders are imported from CSV, geocoded and planned for 12 drivers; two are inserted, a driver fails, decisions are recorded`, async () => {
    // The positions of the streets, in a dataset of the business.
    const { id: dataset_id } = (
      await good('employee', '/datasets', { code: 'streets', name: 'Streets', kind: 'geocoding' })
    ).dataset;
    const records = Array.from({ length: ORDERS }, (_, n) => ({
      values: {
        street: street(n),
        postal_code: '10115',
        city: 'Berlin',
        country: 'DE',
        position: { latitude: 52.46 + (n % 20) / 150, longitude: 13.3 + Math.floor(n / 20) / 45 },
      },
    }));
    await good('employee', `/datasets/${dataset_id}/records/batch`, { records }, 'POST');

    // A dry run of the morning's list: one line is invalid.
    const lines = Array.from({ length: ORDERS }, (_, n) => {
      const window = n % 5 === 0 ? '10:00,13:00' : ',';
      return `DAY-${n},${day.date},Person ${n},${street(n)},Berlin,10115,DE,2.5,${window}`;
    });
    const wrong = [HEADER, ...lines, `DAY-X,${day.date},Nobody,Street 1,Berlin,10115,DE,heavy,,`].join('\n');
    const tried = await good('employee', '/orders/import', { csv: wrong, dry_run: true });
    expect(tried).to.include({ rejected: 1 });
    const csv = [HEADER, ...lines].join('\n');
    const imported = await good('employee', '/orders/import', { csv, wait_s: 25 });
    expect(imported).to.include({ lines: ORDERS, created: ORDERS, rejected: 0 });

    const plan = await day.plan({ pool: 'date', budget: { time_limit_s: atDepth(3, 1) } });
    expect(plan.summary.assigned_count).to.be.at.least(ORDERS);
    expect(plan.commit.skipped).to.equal(0);
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const routes = plan.routes as any[];
    for (const { stops } of routes)
      for (const { eta_from, eta_to, order_id } of stops) if (order_id) expect(eta_from < eta_to).to.equal(true);

    // Two more orders on the same day.
    const more = await day.orders(2);
    const route_ids = routes.map(({ route_id }) => route_id);
    const inserted = await day.plan({ mode: 'insert', route_ids, order_ids: more, budget: { time_limit_s: 1 } });
    expect(inserted.commit, JSON.stringify(inserted.unassigned)).to.include({ placed: 2, skipped: 0 });

    // A driver is unavailable, and the others take over.
    const [off, ...rest] = routes;
    const others = day.drivers.filter((id) => id !== off.driver_id);
    const replanned = await day.plan({
      mode: 'reoptimize',
      route_ids: [off.route_id, ...rest.map(({ route_id }) => route_id)],
      driver_ids: others,
      budget: { time_limit_s: atDepth(3, 1) },
    });
    expect(replanned.summary.before.assigned_count).to.be.below(replanned.summary.assigned_count);
    const left = (await good('client_admin', `/routes/${off.route_id}`)).route.orders;
    expect(left).to.deep.equal([]);
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    expect(replanned.routes.map(({ driver_id }: any) => driver_id)).to.not.include(off.driver_id);

    // A delivery fails: the board lists it and records the decision.
    const [failed] = await day.orders(1, () => ({ schedule_date: dayIn(0) }));
    const { packages } = await day.order(failed!);
    const occurred_at = new Date().toISOString();
    for (const status_code of ['out_for_delivery', 'delivery_failed'])
      await good('employee', '/scans', { tracking_number: packages[0].tracking_number, status_code, occurred_at });
    const { items } = await good('employee', '/dispatch/board?per_page=200');
    const item = items.find(
      ({ order_id, kind }: { order_id: number; kind: string }) => order_id === failed && kind === 'failed_stop',
    );
    expect(item, JSON.stringify(items)).to.be.an('object');
    const decision = { version: item.version, decision: 'leave', note: 'Recipient is away' };
    await good('employee', `/dispatch/items/${item.id}/decisions`, decision);
    const { decisions } = await good('auditor', `/dispatch/decisions?order_id=${failed}`);
    expect(decisions[0]).to.include({ decision: 'leave', note: 'Recipient is away' });
  });
});
