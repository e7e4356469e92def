/** Storage days and device minutes. The expected numbers are calculated by hand. */
import { expect } from 'chai';
import type { Card } from '../../../src/events/pricing/card.js';
import type { PriceInputs } from '../../../src/events/pricing/inputs.js';
import { cardOf, shown } from '../../support/inputs/prices.js';

describe('price: storage', () => {
  type Storage = NonNullable<Card['storage']>;
  const TIERS: Storage['tiers'] = [
    { from_day: 6, per: 'package', per_day: '0.50' },
    { from_day: 11, per: 'package', per_day: '0.80' },
  ];
  const stored = (storage: Storage, inputs: Partial<PriceInputs>) =>
    shown(cardOf({ storage }), inputs, { family: 'storage_service' });

  it('20 March to 2 April, over the change of the clock: 14 days, 5 free; 5 × 0.50 × 2 and 4 × 0.80 × 2', () =>
    expect(
      stored(
        { free_days: 5, tiers: TIERS },
        { packages: [{}, {}], storage: { received_on: '2026-03-20', until_on: '2026-04-02' } },
      ),
    ).to.deep.equal([
      'base 5.00 (from_day 6, days 5, per_day 0.50, quantity 2, factor 1)',
      'base 6.40 (from_day 11, days 4, per_day 0.80, quantity 2, factor 1)',
      'total 11.40',
    ]));

  it('over the change back, 24 October to 25 October is day 2', () => {
    const tiers: Storage['tiers'] = [{ from_day: 1, per: 'package', per_day: '1' }];
    const days = (until_on: string) =>
      stored({ free_days: 0, tiers }, { packages: [{}], storage: { received_on: '2026-10-24', until_on } }).at(-1);
    expect(['2026-10-24', '2026-10-25', '2026-10-26'].map(days)).to.deep.equal([
      'total 1.00',
      'total 2.00',
      'total 3.00',
    ]);
  });

  it('free days cost 0.00 and have a line; free days come before a tier that begins at day 1', () => {
    const on = (until_on: string) =>
      stored(
        { free_days: 5, tiers: [{ from_day: 1, per: 'package', per_day: '1' }] },
        { packages: [{}], storage: { received_on: '2026-03-01', until_on } },
      );
    expect(on('2026-03-05')).to.deep.equal(['base 0.00 (days 0, free_days 5)', 'total 0.00']);
    expect(on('2026-03-06')).to.deep.equal([
      'base 1.00 (from_day 6, days 1, per_day 1, quantity 1, factor 1)',
      'total 1.00',
    ]);
    expect(on('2026-02-01')).to.deep.equal(['base 0.00 (days 0, free_days 5)', 'total 0.00']);
  });

  it('per kilogram, litre and pallet: 10 days × 12.5 kg × 0.02; 48.5 l × 0.004 = 1.94; 3 × 1.25 = 37.50', () => {
    const packages = [{ weight_kg: 12.5, length_cm: 50, width_cm: 40, height_cm: 24.25 }];
    const storage = { received_on: '2026-03-01', until_on: '2026-03-10' };
    const per = (measure: Storage['tiers'][number]['per'], per_day: string, more = {}) =>
      stored(
        { free_days: 0, tiers: [{ from_day: 1, per: measure, per_day }] },
        { packages, storage: { ...storage, ...more } },
      )[0];
    expect(per('kg', '0.02')).to.equal('base 2.50 (from_day 1, days 10, per_day 0.02, quantity 12.5, factor 1)');
    // 50 × 40 × 24.25 = 48,500 cm³.
    expect(per('litre', '0.004')).to.equal('base 1.94 (from_day 1, days 10, per_day 0.004, quantity 48.5, factor 1)');
    expect(per('litre', '0.004', { litres: 100 })).to.match(/^base 4\.00 /);
    expect(per('pallet', '1.25', { pallets: 3 })).to.match(/^base 37\.50 /);
    expect(per('pallet', '1.25')).to.match(/^base 12\.50 /);
  });

  it('by class: the first that all packages fit in, or the given one; factor 1.5: 9 × 0.50 × 1.5 = 6.75', () => {
    const storage = { received_on: '2026-03-01', until_on: '2026-03-09' };
    const rule: Storage = {
      free_days: 0,
      tiers: [{ from_day: 1, per: 'package', per_day: '0.50' }],
      classes: [
        { code: 'S', max_side_cm: 50, max_weight_kg: 10, factor: '1' },
        { code: 'M', max_side_cm: 100, factor: '1.5' },
      ],
    };
    const box = (length_cm: number, weight_kg: number) => [{ length_cm, width_cm: 10, height_cm: 10, weight_kg }];
    expect(stored(rule, { packages: box(50, 10), storage }).at(-1)).to.equal('total 4.50');
    expect(stored(rule, { packages: box(50, 10.5), storage })).to.deep.equal([
      'base 6.75 (from_day 1, days 9, per_day 0.50, quantity 1, factor 1.5)',
      'total 6.75',
    ]);
    expect(stored(rule, { packages: box(101, 1), storage })).to.deep.equal(['TOO_LARGE']);
    expect(stored(rule, { packages: [{}], storage: { ...storage, class_code: 'M' } }).at(-1)).to.equal('total 6.75');
    expect(stored(rule, { packages: [{}], storage: { ...storage, class_code: 'L' } })).to.deep.equal(['NOT_SERVED']);
    expect(stored(rule, { packages: [{}] })).to.deep.equal(['NOT_SERVED']);
  });
});

describe('price: devices', () => {
  const device: Card['device'] = [
    {
      cell_size: 'M',
      bands: [
        { minutes_from: 0, minutes_to: 60, amount: '2' },
        { minutes_from: 60, minutes_to: 240, amount: '5' },
        { minutes_from: 240, amount: '30' },
      ],
      day_cap: '12',
    },
    { cell_size: 'L', bands: [{ minutes_from: 0, minutes_to: 60, amount: '3' }] },
  ];
  const used = (cell_size: string, minutes: number) =>
    shown(cardOf({ device }), { device: { cell_size, minutes } }, { family: 'device_order' });

  it('a started band counts in full; exactly 60 minutes belong to the first band', () => {
    expect(used('M', 60)).to.deep.equal([
      'base 2.00 (minutes 60, minutes_from 0, minutes_to 60, amount 2, day_cap 12, days 1)',
      'total 2.00',
    ]);
    expect(used('M', 60.5)[1]).to.equal('total 5.00');
    expect(used('M', 0)[1]).to.equal('total 2.00');
  });

  it('at most 12.00 for each started 24 hours: 24 h cost 12.00, 24 h 1 min cost 24.00, 3 days cost 30.00', () => {
    expect(used('M', 1_440)[0]).to.equal('base 12.00 (minutes 1440, minutes_from 240, amount 30, day_cap 12, days 1)');
    expect(used('M', 1_441)[1]).to.equal('total 24.00');
    expect(used('M', 4_320)[1]).to.equal('total 30.00');
  });

  it('refuses minutes above the last band, an unknown size, and inputs without a device', () => {
    expect(used('L', 61)).to.deep.equal(['NOT_SERVED']);
    expect(used('XL', 1)).to.deep.equal(['NOT_SERVED']);
    expect(shown(cardOf({ device }), {}, { family: 'device_order' })).to.deep.equal(['NOT_SERVED']);
  });
});
