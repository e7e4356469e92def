/** N8: a driver leaves only a limited number of contradictory scans to the office. */
import { expect } from 'chai';
import {
  excessOf,
  MAX_OPEN_SCANS,
  MAX_OPEN_SCANS_OF_DRIVER,
  MIN_OPEN_SCANS_OF_DRIVER,
} from '../../../src/api/core/open-scans.js';
import { openLateScans, type LateScans } from '../../support/worlds/late-scans.js';

describe('N8: open scan conflicts of a driver', () => {
  let w: LateScans;
  before(async () => void (w = await openLateScans()));
  after(() => w?.stop());

  it('are at most a quarter of those of the business; other scans and staff continue', async () => {
    const { pool } = w.service.service.engines;
    const order = await w.onRoute();
    w.wait(5);
    await w.as('employee', `/orders/${order.id}/cancel`, { reason: 'by phone' });
    w.wait(5);
    const first = await w.scan('first', order.number, 'delivered', w.minute() - 1);
    expect(first.json.scan?.outcome, first.text).to.equal('conflict');
    // The rows of 499 additional conflicts; sending them takes minutes.
    await pool.query(
      `insert into scan_conflicts.scan_conflicts
       select (jsonb_populate_record(null::scan_conflicts.scan_conflicts, to_jsonb(c) || jsonb_build_object('id', 'copy ' || copy))).*
         from scan_conflicts.scan_conflicts c, generate_series(2, $1::int) copy`,
      [MAX_OPEN_SCANS_OF_DRIVER],
    );
    const refused = await w.scan('first', order.number, 'delivered', w.minute());
    expect([refused.status, refused.json.code], refused.text).to.deep.equal([429, 'TOO_MANY_OPEN_SCANS']);
    expect(refused.headers.get('retry-after')).to.equal('60');
    const other = await w.scan('first', order.number, 'delivery_failed', w.minute());
    expect([other.status, other.json.code], other.text).to.deep.equal([429, 'TOO_MANY_OPEN_SCANS']);
    const repeated = await w.scan('first', order.number, 'delivered', w.minute() - 1);
    expect([repeated.status, repeated.json.scan?.id], repeated.text).to.deep.equal([200, first.json.scan.id]);
    const received = await w.scan('first', order.number, 'received', w.minute());
    expect([received.status, received.json.scan?.outcome], received.text).to.deep.equal([200, 'applied']);
    const staff = await w.scan('employee', order.number, 'delivered', w.minute());
    expect([staff.status, staff.json.scan?.outcome], staff.text).to.deep.equal([200, 'conflict']);
    await pool.query(`update scan_conflicts.scan_conflicts set decision = 'discard' where id like 'copy %'`);
    const again = await w.scan('first', order.number, 'delivered', w.minute());
    expect([again.status, again.json.scan?.outcome], again.text).to.deep.equal([200, 'conflict']);
  });

  it('of the business are those of drivers in the last seven days', async () => {
    const { pool } = w.service.service.engines;
    const order = await w.onRoute();
    w.wait(5);
    await w.as('employee', `/orders/${order.id}/cancel`, { reason: 'by phone' });
    w.wait(5);
    const first = await w.scan('first', order.number, 'delivered', w.minute() - 1);
    expect(first.json.scan?.outcome, first.text).to.equal('conflict');
    const copy = (name: string, count: number, changes: object) =>
      pool.query(
        `insert into scan_conflicts.scan_conflicts
         select (jsonb_populate_record(null::scan_conflicts.scan_conflicts, to_jsonb(c) || $2::jsonb || jsonb_build_object('id', $4 || copy))).*
           from scan_conflicts.scan_conflicts c, generate_series(1, $1::int) copy where c.id = $3`,
        [count, changes, first.json.scan.id, name],
      );
    await copy('own ', MIN_OPEN_SCANS_OF_DRIVER, {});
    await copy('staff ', MAX_OPEN_SCANS, { driver_id: null, scanned_by: 0 });
    await copy('old ', MAX_OPEN_SCANS, { driver_id: 0, scanned_by: 0, recorded_at: '2020-01-01T00:00:00.000Z' });
    const second = await w.scan('first', order.number, 'delivered', w.minute());
    expect(second.json.scan?.outcome, second.text).to.equal('conflict');
    await copy('other ', MAX_OPEN_SCANS, { driver_id: 0, scanned_by: 0 });
    w.wait(1);
    const refused = await w.scan('first', order.number, 'delivered', w.minute());
    expect([refused.status, refused.json.code], refused.text).to.deep.equal([429, 'TOO_MANY_OPEN_SCANS']);
    await pool.query(`delete from scan_conflicts.scan_conflicts where id like 'own %'`);
    const third = await w.scan('first', order.number, 'delivered', w.minute());
    expect(third.json.scan?.outcome, third.text).to.equal('conflict');
  });

  it('are limited for one driver and for all drivers of the business', () => {
    const [of, least] = [MAX_OPEN_SCANS_OF_DRIVER, MIN_OPEN_SCANS_OF_DRIVER];
    expect(excessOf({ own: of, all: MAX_OPEN_SCANS })).to.equal(0);
    expect(excessOf({ own: of + 3, all: of + 3 })).to.equal(3);
    expect(excessOf({ own: least + 9, all: MAX_OPEN_SCANS + 4 })).to.equal(4);
    expect(excessOf({ own: least + 2, all: MAX_OPEN_SCANS + 4 }), 'A2: what each driver may have').to.equal(2);
    expect(excessOf({ own: least, all: 2 * MAX_OPEN_SCANS })).to.equal(0);
  });
});
