/** Billable weights, weight breaks and further packages. The expected numbers are calculated by hand. */
import { expect } from 'chai';
import { DimensionsNeeded } from '../../../src/commands/pricing/parcel.js';
import type { Card } from '../../../src/events/pricing/card.js';
import { cardOf, shown, TABLE } from '../../support/inputs/prices.js';

const box = (length_cm: number, width_cm: number, height_cm: number, weight_kg = 1) => ({
  length_cm,
  width_cm,
  height_cm,
  weight_kg,
});
const weighed = (weight: Card['weight']): Card => cardOf({ weight, table: TABLE });

describe('price: weights', () => {
  it('volumetric 5000: 50 × 40 × 30 = 60,000; 60,000 / 5,000 = 12 kg; 14.90 + 1.20 × (12 − 10) = 17.30', () =>
    expect(shown(weighed({ basis: 'volumetric', divisor: 5_000 }), { packages: [box(50, 40, 30)] })).to.deep.equal([
      'base 17.30 (packages 1, unit_amount 17.30, billable_kg 12, above_kg 10, base 14.90, per_kg 1.20)',
      'total 17.30',
    ]));

  it('volumetric 6000: 60,000 / 6,000 = 10 kg, which belongs to the break up to 10 kg', () =>
    expect(shown(weighed({ basis: 'volumetric', divisor: 6_000 }), { packages: [box(50, 40, 30)] })).to.deep.equal([
      'base 14.90 (packages 1, unit_amount 14.90, billable_kg 10, up_to_kg 10)',
      'total 14.90',
    ]));

  it('the greater weight, rounded up to the step: 24,000 / 5,000 = 4.8; actual 6.2 → 6.5', () => {
    const card = weighed({ basis: 'greater', divisor: 5_000, step_kg: 0.5 });
    expect(shown(card, { packages: [box(40, 30, 20, 6.2)] })).to.deep.equal([
      'base 14.90 (packages 1, unit_amount 14.90, billable_kg 6.5, up_to_kg 10)',
      'total 14.90',
    ]);
    // 4.8 is above the actual 1 kg, and 5 is the next step.
    expect(shown(card, { packages: [box(40, 30, 20, 1)] })[0]).to.include('billable_kg 5,');
  });

  it('sides rounded up: 41 × 31 × 21 = 26,691; 26,691 / 5,000 = 5.3382 → 5.4. Nearest: 40 × 30 × 20 → 4.8', () => {
    const rule = { basis: 'volumetric', divisor: 5_000, step_kg: 0.1 } as const;
    const packages = [box(40.1, 30.2, 20.3)];
    expect(shown(weighed({ ...rule, side_rounding: 'up' }), { packages })[0]).to.include('billable_kg 5.4,');
    expect(shown(weighed({ ...rule, side_rounding: 'nearest' }), { packages })[0]).to.include('billable_kg 4.8,');
    // 40.1 × 30.2 × 20.3 = 24,583.706; / 5,000 = 4.9167412 → 5.
    expect(shown(weighed({ ...rule, side_rounding: 'none' }), { packages })[0]).to.include('billable_kg 5,');
    expect(shown(weighed({ ...rule, side_rounding: 'nearest' }), { packages: [box(40.5, 30, 20)] })[0]).to.include(
      // 41 × 30 × 20 = 24,600; / 5,000 = 4.92 → 5.
      'billable_kg 5,',
    );
  });

  it('a volumetric weight is rounded up to a gram: 10 × 10 × 10.001 = 1,000.1; 1,000.1 / 5,000 = 0.20002 → 0.201', () =>
    expect(shown(weighed({ basis: 'volumetric', divisor: 5_000 }), { packages: [box(10, 10, 10.001)] })[0]).to.include(
      'billable_kg 0.201,',
    ));

  it('the minimum weight applies after the step: 0.2 → 0.5 → 3 kg', () =>
    expect(
      shown(weighed({ basis: 'actual', step_kg: 0.5, min_kg: 3 }), { packages: [{ weight_kg: 0.2 }] }),
    ).to.deep.equal(['base 9.90 (packages 1, unit_amount 9.90, billable_kg 3, up_to_kg 5)', 'total 9.90']));

  it('pricing R3: exactly 2 kg costs 5.90, and 2.001 kg costs 9.90', () => {
    expect(shown(cardOf({ table: TABLE }), { packages: [{ weight_kg: 2 }] })[0]).to.match(
      /^base 5\.90 .* up_to_kg 2\)$/,
    );
    expect(shown(cardOf({ table: TABLE }), { packages: [{ weight_kg: 2.001 }] })[0]).to.match(/^base 9\.90 /);
  });

  it('above the last break: 14.90 + 1.20 × 2.345 = 17.714 → 17.71', () =>
    expect(shown(cardOf({ table: TABLE }), { packages: [{ weight_kg: 12.345 }] })).to.deep.equal([
      'base 17.71 (packages 1, unit_amount 17.71, billable_kg 12.345, above_kg 10, base 14.90, per_kg 1.20)',
      'total 17.71',
    ]));

  it('ltl by weight alone: 0 + 0.185 × 432.5 kg = 80.0125 → 80.01', () => {
    const breaks = [{ above_kg: 0, base: '0', per_kg: '0.185' }];
    const card = cardOf({ table: [{ service: 'ROAD', lane: '*', breaks }] });
    expect(shown(card, { packages: [{ weight_kg: 432.5 }] }, { family: 'ltl_service' })).to.deep.equal([
      'base 80.01 (packages 1, unit_amount 80.01, billable_kg 432.5, above_kg 0, base 0, per_kg 0.185)',
      'total 80.01',
    ]);
  });

  it('refuses a weight above the last break', () => {
    const breaks = [{ up_to_kg: 30, amount: '20' }];
    const card = cardOf({ table: [{ service: 'ROAD', lane: '*', breaks }] });
    expect(shown(card, { packages: [{ weight_kg: 30.001 }] })).to.deep.equal(['TOO_HEAVY']);
    expect(shown(card, {})).to.deep.equal(['NOT_SERVED']);
  });

  it('equal packages are one line, and the unit amount is rounded first: 3.335 → 3.34; 3.34 × 3 = 10.02', () => {
    const card = cardOf({ table: [{ service: 'ROAD', lane: '*', breaks: [{ up_to_kg: 5, amount: '3.335' }] }] });
    const packages = [{ weight_kg: 2 }, { weight_kg: 4 }, { weight_kg: 2 }, { weight_kg: 2 }];
    expect(shown(card, { packages })).to.deep.equal([
      'base 10.02 (packages 3, unit_amount 3.34, billable_kg 2, up_to_kg 5)',
      'base 3.34 (packages 1, unit_amount 3.34, billable_kg 4, up_to_kg 5)',
      'total 13.36',
    ]);
  });

  it('throws for a missing side or weight, with the package', () => {
    const card = weighed({ basis: 'greater', divisor: 5_000 });
    for (const second of [
      { weight_kg: 1, length_cm: 10, width_cm: 10 },
      { length_cm: 10, width_cm: 10, height_cm: 10 },
    ])
      expect(() => shown(card, { packages: [box(10, 10, 10), second] }))
        .to.throw(DimensionsNeeded)
        .with.property('package', 1);
    // The actual weight needs no sides.
    expect(shown(cardOf({ table: TABLE }), { packages: [{ weight_kg: 1 }] })).to.have.length(2);
  });
});

describe('price: further packages', () => {
  const packages = [{ weight_kg: 1 }, { weight_kg: 8 }, { weight_kg: 3 }, { weight_kg: 7 }];

  it('the highest base is the first, the earlier of equal ones; 50 % of 5.90, 9.90 and 14.90 for the others', () =>
    expect(
      shown(cardOf({ table: TABLE, packages: { first: 'each', further: { percent: '50' } } }), { packages }),
    ).to.deep.equal([
      'base 14.90 (packages 1, unit_amount 14.90, billable_kg 8, up_to_kg 10)',
      'further_packages 2.95 (packages 1, unit_amount 2.95, billable_kg 1, up_to_kg 2, base_amount 5.90, percent 50)',
      'further_packages 4.95 (packages 1, unit_amount 4.95, billable_kg 3, up_to_kg 5, base_amount 9.90, percent 50)',
      'further_packages 7.45 (packages 1, unit_amount 7.45, billable_kg 7, up_to_kg 10, base_amount 14.90, percent 50)',
      'total 30.25',
    ]));

  it('an amount for the first and a flat amount for the others: 12.00 + 2 × 2.50 + 2.50', () =>
    expect(
      shown(cardOf({ table: TABLE, packages: { first: '12', further: { flat: '2.5' } } }), {
        packages: [{ weight_kg: 1 }, { weight_kg: 1 }, { weight_kg: 8 }, { weight_kg: 3 }],
      }),
    ).to.deep.equal([
      'base 12.00 (packages 1, unit_amount 12.00, billable_kg 8, up_to_kg 10)',
      'further_packages 5.00 (packages 2, unit_amount 2.50, billable_kg 1, up_to_kg 2, flat 2.5)',
      'further_packages 2.50 (packages 1, unit_amount 2.50, billable_kg 3, up_to_kg 5, flat 2.5)',
      'total 19.50',
    ]));
});
