/** Surcharges and their conditions. The expected numbers are calculated by hand. */
import { expect } from 'chai';
import { DimensionsNeeded } from '../../../src/commands/pricing/parcel.js';
import type { Surcharge } from '../../../src/events/pricing/card.js';
import type { Condition } from '../../../src/events/pricing/conditions.js';
import type { PriceInputs } from '../../../src/events/pricing/inputs.js';
import { cardOf, shown, TABLE } from '../../support/inputs/prices.js';

const surcharge = (members: Partial<Surcharge> & Pick<Surcharge, 'amount'>): Surcharge => ({
  code: 'X',
  fuelable: false,
  taxable: true,
  ...members,
});

/** The line of a surcharge; undefined: it does not apply. */
function lineOf(members: Partial<Surcharge> & Pick<Surcharge, 'amount'>, inputs: Partial<PriceInputs>) {
  const card = cardOf({
    services: [{ code: 'ROAD', options: ['SIGN', 'COD', 'AGE18'] }],
    zones: [{ code: 'SOUTH', match: [{ country: 'DE', postal_prefix: '8' }] }],
    table: TABLE,
    surcharges: [surcharge(members)],
  });
  return shown(card, { packages: [{ weight_kg: 1 }], ...inputs }).find((line) => line.startsWith('surcharge'));
}

const holds = (condition: Condition, inputs: Partial<PriceInputs> = {}): boolean =>
  lineOf({ amount: { flat: '1' }, when: [condition] }, inputs) !== undefined;

describe('price: surcharges', () => {
  const packages = [
    { weight_kg: 8, length_cm: 120, width_cm: 20, height_cm: 10 },
    { weight_kg: 4, length_cm: 30, width_cm: 130, height_cm: 10 },
    { weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 },
  ];
  const long: Condition[] = [{ field: 'longest_side', op: '>', value: 100 }];

  it('per kilogram with a maximum: 13 kg × 0.30 = 3.90; 13 kg × 0.50 = 6.50, at most 5.00', () => {
    expect(lineOf({ amount: { per_kg: '0.30' }, max: '5' }, { packages })).to.equal(
      'surcharge X 3.90 (per_kg 0.30, quantity 13, max 5)',
    );
    expect(lineOf({ amount: { per_kg: '0.50' }, max: '5' }, { packages })).to.equal(
      'surcharge X 5.00 (per_kg 0.50, quantity 13, max 5)',
    );
  });

  it('refers to the packages that satisfy the conditions: two are longer than 100 cm', () => {
    expect(lineOf({ amount: { per_package: '4' }, when: long }, { packages })).to.equal(
      'surcharge X 8.00 (per_package 4, packages 2)',
    );
    expect(lineOf({ amount: { per_kg: '0.25' }, when: long }, { packages })).to.equal(
      'surcharge X 3.00 (per_kg 0.25, quantity 12)',
    );
    expect(lineOf({ amount: { flat: '7' }, when: long }, { packages })).to.equal('surcharge X 7.00 (flat 7)');
    // 10 % of 14.90 + 9.90.
    expect(lineOf({ amount: { percent_of: 'base', percent: '10' }, when: long }, { packages })).to.equal(
      'surcharge X 2.48 (percent 10, base_amount 24.80)',
    );
    // One package must satisfy all conditions: only the second is long and at most 5 kg.
    const both: Condition[] = [...long, { field: 'billable_kg', op: '<=', value: 5 }];
    expect(lineOf({ amount: { per_package: '4' }, when: both }, { packages })).to.include('packages 1)');
    expect(
      lineOf({ amount: { flat: '1' }, when: [{ field: 'longest_side', op: '>', value: 130 }] }, { packages }),
    ).to.equal(undefined);
    expect(lineOf({ amount: { per_package: '4' } }, { packages })).to.include('packages 3)');
  });

  it('percent of the base with further packages: 10 % of (14.90 + 4.95 + 2.95) = 2.28', () => {
    const card = cardOf({
      table: TABLE,
      packages: { first: 'each', further: { percent: '50' } },
      surcharges: [
        surcharge({ code: 'ALL', amount: { percent_of: 'base', percent: '10' } }),
        surcharge({ code: 'LONG', amount: { percent_of: 'base', percent: '10' }, when: long }),
      ],
    });
    expect(shown(card, { packages }).slice(3)).to.deep.equal([
      'surcharge ALL 2.28 (percent 10, base_amount 22.80)',
      // 14.90 + 4.95.
      'surcharge LONG 1.99 (percent 10, base_amount 19.85)',
      'total 27.07',
    ]);
  });

  it('per unit of a numeric field: 1 % of 350.00 declared; 0.90 × 2.5 h; 0.01 × girth 120 + 2 × 30 = 180', () => {
    const declared = [
      { weight_kg: 1, declared_value: '300' },
      { weight_kg: 1, declared_value: '50' },
      { weight_kg: 1 },
    ];
    const perUnit = (per_unit: string, field: 'declared_value' | 'window_hours' | 'girth' | 'cod_amount') => ({
      amount: { per_unit, field },
    });
    expect(lineOf(perUnit('0.01', 'declared_value'), { packages: declared })).to.equal(
      'surcharge X 3.50 (per_unit 0.01, quantity 350)',
    );
    expect(lineOf(perUnit('0.90', 'window_hours'), { window: { start: '10:00', end: '12:30' } })).to.equal(
      'surcharge X 2.25 (per_unit 0.90, quantity 2.5)',
    );
    expect(lineOf(perUnit('0.01', 'girth'), { packages: packages.slice(0, 1) })).to.equal(
      'surcharge X 1.80 (per_unit 0.01, quantity 180)',
    );
    expect(lineOf(perUnit('0.02', 'cod_amount'), { cod_amount: '49.90' })).to.equal(
      // 0.998.
      'surcharge X 1.00 (per_unit 0.02, quantity 49.9)',
    );
    expect(lineOf(perUnit('0.02', 'cod_amount'), {})).to.equal(undefined);
  });

  it('a short window on a Saturday', () => {
    const when: Condition[] = [
      { field: 'weekday', op: '=', value: 6 },
      { field: 'window_hours', op: '<=', value: 2 },
      { field: 'window_start', op: 'between', value: ['08:00', '18:00'] },
    ];
    const on = (schedule_date: string, start: string, end: string) =>
      lineOf({ amount: { flat: '4.50' }, when }, { schedule_date, window: { start, end } });
    expect(on('2026-03-07', '10:00', '12:00')).to.equal('surcharge X 4.50 (flat 4.50)');
    expect(on('2026-03-06', '10:00', '12:00')).to.equal(undefined);
    expect(on('2026-03-07', '10:00', '12:01')).to.equal(undefined);
    expect(on('2026-03-07', '18:01', '19:00')).to.equal(undefined);
    expect(lineOf({ amount: { flat: '4.50' }, when }, { schedule_date: '2026-03-07' })).to.equal(undefined);
  });

  it('compares measures, amounts, texts and dates', () => {
    expect(holds({ field: 'packages', op: '>=', value: 1 })).to.equal(true);
    expect(holds({ field: 'packages', op: '<', value: 1 })).to.equal(false);
    expect(holds({ field: 'distance_km', op: '>', value: 9.9 }, { distance_km: 10 })).to.equal(true);
    expect(holds({ field: 'cod_amount', op: 'between', value: ['9', '100'] }, { cod_amount: '10' })).to.equal(true);
    expect(holds({ field: 'cod_amount', op: '=', value: '10.00' }, { cod_amount: '10' })).to.equal(true);
    expect(holds({ field: 'date', op: 'in', value: ['2026-12-24', '2026-03-02'] })).to.equal(true);
    expect(holds({ field: 'to_zone', op: '=', value: 'SOUTH' })).to.equal(true);
    expect(holds({ field: 'residential', op: '!=', value: true }, { is_residential: false })).to.equal(true);
    // 23:30 to 00:30 is one hour.
    expect(holds({ field: 'window_hours', op: '=', value: 1 }, { window: { start: '23:30', end: '00:30' } })).to.equal(
      true,
    );
  });

  it('a missing value makes every comparison false', () => {
    expect(holds({ field: 'from_zone', op: '!=', value: 'SOUTH' })).to.equal(false);
    expect(holds({ field: 'residential', op: '!=', value: true })).to.equal(false);
    expect(holds({ field: 'declared_value', op: '<', value: '1' })).to.equal(false);
    expect(holds({ field: 'window_start', op: '!=', value: '10:00' })).to.equal(false);
  });

  it('a list contains a value, does not contain it, or contains one of several', () => {
    const options = ['SIGN', 'COD'];
    expect(holds({ field: 'option', op: '=', value: 'COD' }, { options })).to.equal(true);
    expect(holds({ field: 'option', op: '!=', value: 'COD' }, { options })).to.equal(false);
    expect(holds({ field: 'option', op: '!=', value: 'COD' })).to.equal(true);
    expect(holds({ field: 'option', op: 'in', value: ['AGE18', 'SIGN'] }, { options })).to.equal(true);
    expect(holds({ field: 'customer_tag', op: 'in', value: ['VIP'] }, { customer_tags: ['NEW'] })).to.equal(false);
  });

  it('needs dimensions only if the conditions on the shipment hold', () => {
    const when: Condition[] = [
      { field: 'girth', op: '>', value: 100 },
      { field: 'option', op: '=', value: 'SIGN' },
    ];
    expect(lineOf({ amount: { flat: '1' }, when }, {})).to.equal(undefined);
    expect(() => lineOf({ amount: { flat: '1' }, when }, { options: ['SIGN'] })).to.throw(DimensionsNeeded);
  });

  it('applies without packages if it has no condition on packages', () => {
    const card = cardOf({
      items: [{ code: 'BOX', amount: '2' }],
      surcharges: [
        surcharge({ code: 'DESK', amount: { flat: '3' }, when: [{ field: 'packages', op: '=', value: 0 }] }),
        surcharge({ code: 'LONG', amount: { flat: '3' }, when: long }),
      ],
    });
    expect(shown(card, { items: [{ code: 'BOX', quantity: 1 }] })).to.deep.equal([
      'item BOX 2.00 (quantity 1, unit_amount 2.00)',
      'surcharge DESK 3.00 (flat 3)',
      'total 5.00',
    ]);
  });
});
