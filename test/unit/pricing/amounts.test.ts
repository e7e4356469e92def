/** Minimum, fuel, markup, taxes and currencies. The expected numbers are calculated by hand. */
import { expect } from 'chai';
import type { Card } from '../../../src/events/pricing/card.js';
import { cardOf, outcomesOf, shown, TABLE } from '../../support/inputs/prices.js';

const ONE = [{ weight_kg: 1 }];
const BASE = 'base 5.90 (packages 1, unit_amount 5.90, billable_kg 1, up_to_kg 2)';
/** Costs this amount whatever the weight. */
const costs = (amount: string): Card['table'] => [{ service: 'ROAD', lane: '*', breaks: [{ up_to_kg: 100, amount }] }];
const baseOf = (amount: string) => `base ${amount} (packages 1, unit_amount ${amount}, billable_kg 1, up_to_kg 100)`;

describe('price: amounts', () => {
  it('minimum: 8.00 − 5.90 = 2.10', () => {
    expect(shown(cardOf({ table: TABLE, minimum: '8' }), { packages: ONE })).to.deep.equal([
      BASE,
      'minimum 2.10 (minimum 8, amount 5.90)',
      'total 8.00',
    ]);
    expect(shown(cardOf({ table: TABLE, minimum: '5.90' }), { packages: ONE })).to.deep.equal([BASE, 'total 5.90']);
  });

  it('fuel changes between two dates: 12.5 % of 5.90 = 0.7375 → 0.74; 14.25 % of 5.90 = 0.84075 → 0.84', () => {
    const fuel = [
      { date_from: '2026-01-01', date_to: '2026-03-31', percent: '12.5' },
      { date_from: '2026-04-01', percent: '14.25' },
    ];
    const on = (schedule_date: string) => shown(cardOf({ table: TABLE, fuel }), { packages: ONE, schedule_date });
    expect(on('2026-03-31')).to.deep.equal([
      BASE,
      'fuel 0.74 (percent 12.5, fuelable_amount 5.90, date_from 2026-01-01)',
      'total 6.64',
    ]);
    expect(on('2026-04-01')).to.deep.equal([
      BASE,
      'fuel 0.84 (percent 14.25, fuelable_amount 5.90, date_from 2026-04-01)',
      'total 6.74',
    ]);
    expect(on('2025-12-31')).to.deep.equal([BASE, 'total 5.90']);
  });

  it('fuel refers to the base and the fuelable surcharges: 10 % of (5.90 + 2.00) = 0.79', () =>
    expect(
      shown(
        cardOf({
          table: TABLE,
          surcharges: [
            { code: 'ISLAND', amount: { flat: '2' }, fuelable: true, taxable: true },
            { code: 'DESK', amount: { flat: '3' }, fuelable: false, taxable: true },
          ],
          fuel: [{ date_from: '2026-01-01', percent: '10' }],
        }),
        { packages: ONE },
      ),
    ).to.deep.equal([
      BASE,
      'surcharge ISLAND 2.00 (flat 2)',
      'surcharge DESK 3.00 (flat 3)',
      'fuel 0.79 (percent 10, fuelable_amount 7.90, date_from 2026-01-01)',
      'total 11.69',
    ]));

  it('one included tax: 11.90 × 19 / 119 = 1.90, shown and not added', () => {
    const taxes = [{ code: 'VAT', percent: '19', inclusive: true }];
    const [outcome] = outcomesOf(cardOf({ table: costs('11.90'), taxes }), { packages: ONE });
    expect(outcome).to.deep.include({
      subtotal: '11.90',
      tax_amount: '1.90',
      surcharge_amount: '0.00',
      total: '11.90',
    });
    expect(shown(cardOf({ table: costs('11.90'), taxes }), { packages: ONE })[1]).to.equal(
      'tax VAT 1.90 included (percent 19, taxable_amount 11.90, included_percent 19)',
    );
  });

  it('two included taxes share: 100 × 5 / 114.975 = 4.3487… → 4.35; 100 × 9.975 / 114.975 = 8.6757… → 8.68', () =>
    expect(
      shown(
        cardOf({
          table: costs('100'),
          taxes: [
            { code: 'GST', percent: '5', inclusive: true },
            { code: 'QST', percent: '9.975', inclusive: true },
          ],
        }),
        { packages: ONE },
        { currency: 'CAD' },
      ),
    ).to.deep.equal([
      baseOf('100.00'),
      'tax GST 4.35 included (percent 5, taxable_amount 100.00, included_percent 14.975)',
      'tax QST 8.68 included (percent 9.975, taxable_amount 100.00, included_percent 14.975)',
      'total 100.00',
    ]));

  it('a tax on the taxable lines: 19 % of 5.90 = 1.121 → 1.12; the toll of 1.00 is not taxable', () => {
    const card = cardOf({
      table: TABLE,
      surcharges: [{ code: 'TOLL', amount: { flat: '1' }, fuelable: false, taxable: false }],
      taxes: [
        {
          code: 'VAT',
          names: { de: 'MwSt.' },
          percent: '19',
          inclusive: false,
          when: [{ field: 'country_pair', op: '=', value: 'DE-DE' }],
        },
        { code: 'EXPORT', percent: '5', inclusive: false, when: [{ field: 'country_pair', op: '!=', value: 'DE-DE' }] },
      ],
    });
    expect(shown(card, { packages: ONE })).to.deep.equal([
      BASE,
      'surcharge TOLL 1.00 untaxed (flat 1)',
      'tax VAT 1.12 (percent 19, taxable_amount 5.90)',
      'total 8.02',
    ]);
    const [outcome] = outcomesOf(card, { packages: ONE });
    expect(outcome).to.deep.include({ subtotal: '6.90', surcharge_amount: '1.00', tax_amount: '1.12', total: '8.02' });
    expect(outcome)
      .to.have.property('lines')
      .that.deep.includes({
        code: 'VAT',
        kind: 'tax',
        names: { de: 'MwSt.' },
        amount: '1.12',
        taxable: false,
        tax_code: 'VAT',
        basis: { percent: '19', taxable_amount: '5.90' },
      });
  });

  it('JPY has no decimals: 1234.5 → 1235; 3 % = 37.05 → 37; 10 % of 1272 = 127.2 → 127', () =>
    expect(
      shown(
        cardOf({
          table: costs('1234.5'),
          fuel: [{ date_from: '2026-01-01', percent: '3' }],
          taxes: [{ code: 'CT', percent: '10', inclusive: false }],
        }),
        { packages: ONE },
        { currency: 'JPY' },
      ),
    ).to.deep.equal([
      baseOf('1235'),
      'fuel 37 (percent 3, fuelable_amount 1235, date_from 2026-01-01)',
      'tax CT 127 (percent 10, taxable_amount 1272)',
      'total 1399',
    ]));

  it('KWD has three decimals: 1.2345 → 1.235; 5 % = 0.06175 → 0.062', () =>
    expect(
      shown(
        cardOf({ table: costs('1.2345'), taxes: [{ code: 'VAT', percent: '5', inclusive: false }] }),
        { packages: ONE },
        { currency: 'KWD' },
      ),
    ).to.deep.equal([baseOf('1.235'), 'tax VAT 0.062 (percent 5, taxable_amount 1.235)', 'total 1.297']));

  it('a markup of 15 % of 5.90 = 0.885 → 0.89, and a discount of 7.5 % = 0.4425 → 0.44', () => {
    const card = cardOf({ table: TABLE });
    expect(shown(card, { packages: ONE, markup_percent: '15' })).to.deep.equal([
      BASE,
      'markup 0.89 (percent 15, amount 5.90)',
      'total 6.79',
    ]);
    expect(shown(card, { packages: ONE, markup_percent: '-7.5' })).to.deep.equal([
      BASE,
      'markup -0.44 (percent -7.5, amount 5.90)',
      'total 5.46',
    ]);
    expect(shown(card, { packages: ONE, markup_percent: '-100' }).at(-1)).to.equal('total 0.00');
    expect(shown(card, { packages: ONE, markup_percent: '0' })).to.deep.equal([BASE, 'total 5.90']);
  });

  it('the discount follows the minimum, and the tax follows the discount: (5.90 + 2.10) × 0.9 = 7.20; 19 % = 1.368', () =>
    expect(
      shown(cardOf({ table: TABLE, minimum: '8', taxes: [{ code: 'VAT', percent: '19', inclusive: false }] }), {
        packages: ONE,
        markup_percent: '-10',
      }),
    ).to.deep.equal([
      BASE,
      'minimum 2.10 (minimum 8, amount 5.90)',
      'markup -0.80 (percent -10, amount 8.00)',
      'tax VAT 1.37 (percent 19, taxable_amount 7.20)',
      'total 8.57',
    ]));

  it('a discount on lines that are not taxable never makes a tax negative: 5.90 + 10.00 − 15.90 = 0.00', () =>
    expect(
      shown(
        cardOf({
          table: TABLE,
          surcharges: [{ code: 'TOLL', amount: { flat: '10' }, fuelable: false, taxable: false }],
          taxes: [{ code: 'VAT', percent: '19', inclusive: false }],
        }),
        { packages: ONE, markup_percent: '-100' },
      ).slice(1),
    ).to.deep.equal([
      'surcharge TOLL 10.00 untaxed (flat 10)',
      'markup -15.90 (percent -100, amount 15.90)',
      'tax VAT 0.00 (percent 19, taxable_amount 0.00)',
      'total 0.00',
    ]));

  it('refuses amounts with more than twelve digits before the point', () => {
    const items = [{ code: 'GOLD', quantity: 2 }];
    const card = (amount: string) => cardOf({ items: [{ code: 'GOLD', amount }] });
    expect(shown(card('499999999999.99'), { items }).at(-1)).to.equal('total 999999999999.98');
    expect(shown(card('500000000000'), { items })).to.deep.equal(['NOT_SERVED']);
  });

  it('a label costs the price of the carrier: 7.35 + 20 % = 1.47; 5 % of 8.82 = 0.441; 19 % of 9.26 = 1.7594', () => {
    const card = cardOf({
      surcharges: [{ code: 'MARGIN', amount: { percent_of: 'base', percent: '20' }, fuelable: false, taxable: true }],
      taxes: [{ code: 'VAT', percent: '19', inclusive: false }],
    });
    expect(shown(card, { cost: '7.35', markup_percent: '5' }, { family: 'label_service' })).to.deep.equal([
      'base 7.35 (cost 7.35)',
      'surcharge MARGIN 1.47 (percent 20, base_amount 7.35)',
      'markup 0.44 (percent 5, amount 8.82)',
      'tax VAT 1.76 (percent 19, taxable_amount 9.26)',
      'total 11.02',
    ]);
    expect(shown(card, {}, { family: 'label_service' })).to.deep.equal(['NOT_SERVED']);
  });

  it('items of a move: 12 × 3.40 = 40.80, 2 × 79.00 = 158.00, and 1 × 4.999 → 5.00 by the catalogue', () => {
    const card = cardOf({
      items: [
        { code: 'BOX', amount: '3.40' },
        { code: 'PIANO', amount: '79' },
        { code: 'TAPE', from_catalogue: true },
      ],
    });
    const items = [
      { code: 'BOX', quantity: 12 },
      { code: 'PIANO', quantity: 2 },
      { code: 'TAPE', quantity: 1, amount: '4.999' },
    ];
    expect(shown(card, { items }, { family: 'moving_service' })).to.deep.equal([
      'item BOX 40.80 (quantity 12, unit_amount 3.40)',
      'item PIANO 158.00 (quantity 2, unit_amount 79.00)',
      'item TAPE 5.00 (quantity 1, unit_amount 5.00)',
      'total 203.80',
    ]);
    // No item is free because its price is missing.
    for (const item of [
      { code: 'TAPE', quantity: 1 },
      { code: 'ROPE', quantity: 1, amount: '1' },
    ])
      expect(shown(card, { items: [item] }, { family: 'moving_service' })).to.deep.equal(['NOT_SERVED']);
  });
});
