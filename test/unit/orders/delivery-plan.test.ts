/** From the schedule of an order to the delivery plan that the timelines of its parcels report. */
import { expect } from 'chai';
import { deliveryPlan } from '../../../src/commands/orders/delivery-plan.js';
import type { StoredEvent } from '../../../src/events/core/log.js';

const event = (type: string, revision: number, data: object) => ({ type, revision, data }) as unknown as StoredEvent;
const created = (order: object) => event('OrderCreated', 0, { type: 'D', time_windows: [], ...order });
const moved = (revision: number, schedule: object) => event('TimeWindowChanged', revision, schedule);
const window = (from: string, to: string, stop = 'delivery') => ({ stop, from, to });

/** The plan after the last of these events. */
const planOf = (timezone: string, ...past: readonly StoredEvent[]) => deliveryPlan(past.at(-1)!, past, timezone);

describe('delivery plan', () => {
  it('is the whole local day of the business, also if the day is not 24 hours long', () => {
    const byOf = (date: string, timezone: string) => planOf(timezone, created({ schedule_date: date }))?.by;
    expect(planOf('Europe/Berlin', created({ schedule_date: '2026-03-05' }))).to.deep.equal({
      date: '2026-03-05',
      windows: [],
      by: '2026-03-05T23:59:59+01:00',
      order_revision: 0,
    });
    expect(byOf('2026-03-29', 'Europe/Berlin')).to.equal('2026-03-29T23:59:59+02:00');
    expect(byOf('2026-10-25', 'Europe/Berlin')).to.equal('2026-10-25T23:59:59+01:00');
    expect(byOf('2026-03-05', 'Asia/Kathmandu')).to.equal('2026-03-05T23:59:59+05:45');
  });

  it('has only the delivery windows, earliest first', () => {
    const time_windows = [window('18:00', '20:30'), window('07:00', '08:00', 'pickup'), window('09:00', '12:00')];
    expect(planOf('America/Toronto', created({ schedule_date: '2026-07-01', time_windows }))).to.deep.include({
      windows: [
        { from: '2026-07-01T09:00:00-04:00', to: '2026-07-01T12:00:00-04:00' },
        { from: '2026-07-01T18:00:00-04:00', to: '2026-07-01T20:30:00-04:00' },
      ],
      by: '2026-07-01T20:30:00-04:00',
    });
    const nested = [window('08:00', '20:00'), window('09:00', '10:00')];
    expect(planOf('UTC', created({ schedule_date: '2026-07-01', time_windows: nested }))!.by).to.equal(
      '2026-07-01T20:00:00+00:00',
    );
  });

  it('moves a local time that does not exist to the moment when the clocks go forward', () => {
    const time_windows = [window('02:30', '05:00')];
    expect(planOf('Europe/Berlin', created({ schedule_date: '2026-03-29', time_windows }))!.windows).to.deep.equal([
      { from: '2026-03-29T03:00:00+02:00', to: '2026-03-29T05:00:00+02:00' },
    ]);
  });

  it('keeps members that a change omits, and ignores later changes', () => {
    const past = [
      created({ schedule_date: '2026-07-01', time_windows: [window('09:00', '12:00')] }),
      moved(3, { schedule_date: '2026-07-02' }),
      moved(4, { time_windows: [] }),
    ];
    const at = (count: number) => planOf('UTC', ...past.slice(0, count))!;
    expect(at(1).by).to.equal('2026-07-01T12:00:00+00:00');
    expect(at(2)).to.deep.include({ by: '2026-07-02T12:00:00+00:00', order_revision: 3 });
    expect(at(3)).to.deep.include({ date: '2026-07-02', windows: [], by: '2026-07-02T23:59:59+00:00' });
    expect(deliveryPlan(past[0]!, past, 'UTC')).to.deep.equal(at(1));
  });

  it('is missing without a date, for orders to a warehouse, and for years without a local time', () => {
    expect(planOf('UTC', created({ time_windows: [window('09:00', '12:00')] }))).to.equal(undefined);
    expect(planOf('UTC', created({ type: 'P', schedule_date: '2026-07-01' }))).to.equal(undefined);
    for (const date of ['0000-01-01', '0050-06-01', '9999-12-31'])
      expect(planOf('Asia/Tokyo', created({ schedule_date: date })), date).to.equal(undefined);
    for (const date of ['1970-01-02', '9998-12-31'])
      expect(planOf('Africa/Monrovia', created({ schedule_date: date }))!.date, date).to.equal(date);
  });
});
