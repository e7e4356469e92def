/** Ship dates, cutoff times, and limits of packages. */
import { expect } from 'chai';
import type { Service } from '../../../src/events/pricing/card.js';
import type { PriceInputs } from '../../../src/events/pricing/inputs.js';
import { DimensionsNeeded } from '../../../src/commands/pricing/parcel.js';
import { cardOf, outcomesOf, TABLE } from '../../support/inputs/prices.js';

/** Monday. */
const MONDAY = '2026-03-02';

/** The ship date with the dates of the delivery, or the refusal. */
function datesOf(service: Partial<Service>, inputs: Partial<PriceInputs> = {}): string {
  const card = cardOf({ services: [{ code: 'ROAD', ...service }], table: TABLE });
  const [outcome] = outcomesOf(card, { packages: [{ weight_kg: 1 }], ...inputs });
  if ('refused' in outcome!) return outcome.refused;
  const { ship_date, delivery_date_from, delivery_date_to } = outcome!;
  return [ship_date, delivery_date_from, delivery_date_to].filter(Boolean).join(' ');
}

describe('price: days', () => {
  it('ships on the day of the request until the cutoff, otherwise on the next day', () => {
    expect(datesOf({ cutoff: '14:00' }, { requested: { date: MONDAY, time: '14:00' } })).to.equal(MONDAY);
    expect(datesOf({ cutoff: '14:00' }, { requested: { date: MONDAY, time: '14:01' } })).to.equal('2026-03-03');
  });

  it('ships on the first day on which the service runs', () => {
    const requested = { date: '2026-03-06', time: '15:00' };
    expect(datesOf({ weekdays: [1, 2, 3, 4, 5], cutoff: '14:00' }, { requested })).to.equal('2026-03-09');
    expect(datesOf({ weekdays: [5], cutoff: '14:00' }, { requested })).to.equal('2026-03-13');
    expect(datesOf({ weekdays: [5], cutoff: '15:00' }, { requested })).to.equal('2026-03-06');
    expect(datesOf({ weekdays: [7] }, { requested })).to.equal('2026-03-08');
  });

  it('refuses a schedule date after the cutoff of that day, and a weekday without service', () => {
    const requested = { date: MONDAY, time: '14:01' };
    expect(datesOf({ cutoff: '14:00' }, { requested, schedule_date: MONDAY })).to.equal('AFTER_CUTOFF');
    expect(datesOf({ cutoff: '14:00' }, { requested, schedule_date: '2026-03-03' })).to.equal('2026-03-03');
    expect(datesOf({ weekdays: [2] }, { schedule_date: MONDAY })).to.equal('NOT_SERVED');
    expect(datesOf({ weekdays: [2] }, { schedule_date: '2026-03-03' })).to.equal('2026-03-03');
  });

  it('delivers some days later, over the end of a month and a change of the clock', () => {
    expect(datesOf({ days_min: 1, days_max: 3 }, { schedule_date: '2026-03-28' })).to.equal(
      '2026-03-28 2026-03-29 2026-03-31',
    );
    expect(datesOf({ days_max: 1 }, { schedule_date: '2028-02-28' })).to.equal('2028-02-28 2028-02-29');
    expect(datesOf({ days_max: 2 }, { schedule_date: '2026-02-27' })).to.equal('2026-02-27 2026-03-01');
    expect(datesOf({ days_max: 5 }, { schedule_date: '2026-12-04' })).to.equal('2026-12-04 2026-12-09');
  });

  it('ends at the last day of the calendar', () =>
    expect(datesOf({ weekdays: [1] }, { requested: { date: '9999-12-31', time: '00:00' } })).to.equal('NOT_SERVED'));
});

describe('price: limits of packages', () => {
  const box = { weight_kg: 10, length_cm: 40, width_cm: 60, height_cm: 30 };

  it('refuses weights, sides and numbers of packages above the limits of the service', () => {
    expect(datesOf({ max_weight_kg: 10, max_side_cm: 60, max_packages: 1 }, { packages: [box] })).to.equal(MONDAY);
    expect(datesOf({ max_weight_kg: 9.999 }, { packages: [box] })).to.equal('TOO_HEAVY');
    expect(datesOf({ max_side_cm: 59.9 }, { packages: [box] })).to.equal('TOO_LARGE');
    expect(datesOf({ max_packages: 1 }, { packages: [box, box] })).to.equal('TOO_MANY_PACKAGES');
  });

  it('needs sides for the limit only if the service is offered', () => {
    const packages = [{ weight_kg: 1 }];
    expect(() => datesOf({ max_side_cm: 60 }, { packages })).to.throw(DimensionsNeeded);
    expect(datesOf({ max_side_cm: 60, weekdays: [2] }, { packages, schedule_date: MONDAY })).to.equal('NOT_SERVED');
  });

  it('refuses an option that the service does not offer', () => {
    expect(datesOf({ options: ['SIGN'] }, { options: ['SIGN'] })).to.equal(MONDAY);
    expect(datesOf({ options: ['SIGN'] }, { options: ['SIGN', 'COD'] })).to.equal('NOT_SERVED');
    expect(datesOf({}, { options: ['SIGN'] })).to.equal('NOT_SERVED');
  });
});
