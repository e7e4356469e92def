/** The form of rate cards and of the inputs of a price. */
import { expect } from 'chai';
import { cardDigest, cardSchema, MAX_CARD_BYTES, type Card } from '../../../src/events/pricing/card.js';
import { FAMILIES } from '../../../src/events/pricing/families.js';
import { priceInputsSchema } from '../../../src/events/pricing/inputs.js';
import { canonical } from '../../../src/events/tree/canonical.js';
import { cardOf, INPUTS, TABLE } from '../../support/inputs/prices.js';

const isCard = (members: Record<string, unknown>): boolean =>
  cardSchema.safeParse({ ...cardOf({ table: TABLE }), ...members }).success;
const areInputs = (members: Record<string, unknown>): boolean =>
  priceInputsSchema.safeParse({ ...INPUTS, ...members }).success;

describe('rate card', () => {
  it('has seven families', () => expect(FAMILIES).to.have.length(7));

  it('rejects unknown members at every level', () => {
    expect(isCard({})).to.equal(true);
    expect(isCard({ color: 'red' })).to.equal(false);
    expect(isCard({ services: [{ code: 'ROAD', color: 'red' }] })).to.equal(false);
    expect(isCard({ zones: [{ code: 'Z', match: [{ country: 'DE', city: 'Berlin' }] }] })).to.equal(false);
    expect(areInputs({ name: 'Ada' })).to.equal(false);
    expect(areInputs({ from: { country: 'DE', street: 'Weg 1' } })).to.equal(false);
  });

  it('has amounts and percents as decimal texts that are not negative', () => {
    for (const [minimum, accepted] of [
      ['1.2345', true],
      ['1.23456', false],
      ['-1', false],
      [1, false],
      ['1e3', false],
    ])
      expect(isCard({ minimum }), String(minimum)).to.equal(accepted);
    for (const [percent, accepted] of [
      ['0', true],
      ['12.5', true],
      ['-1', false],
      ['12345', false],
      [5, false],
    ])
      expect(isCard({ fuel: [{ date_from: '2026-01-01', percent }] }), String(percent)).to.equal(accepted);
    for (const [markup_percent, accepted] of [
      ['-100', true],
      ['-12.5', true],
      ['200', true],
      ['-100.5', false],
      ['-101', false],
    ])
      expect(areInputs({ markup_percent }), String(markup_percent)).to.equal(accepted);
  });

  it('has measures as numbers with at most three decimals', () => {
    for (const [weight_kg, accepted] of [
      [0, true],
      [0.001, true],
      [12.345, true],
      [0.0001, false],
      [-1, false],
      ['1', false],
      [1e21, false],
    ])
      expect(areInputs({ packages: [{ weight_kg }] }), String(weight_kg)).to.equal(accepted);
  });

  it('has calendar dates, times and countries', () => {
    expect(areInputs({ schedule_date: '2026-02-29' })).to.equal(false);
    expect(areInputs({ requested: { date: '2026-02-28', time: '24:00' } })).to.equal(false);
    expect(areInputs({ to: { country: 'XX' } })).to.equal(false);
    expect(isCard({ zones: [{ code: 'Z', match: [{ country: 'DE', postal_from: '1' }] }] })).to.equal(false);
  });

  it('needs a divisor for volumetric weights only', () => {
    expect(isCard({ weight: { basis: 'actual' } })).to.equal(true);
    expect(isCard({ weight: { basis: 'actual', divisor: 5_000 } })).to.equal(false);
    expect(isCard({ weight: { basis: 'greater' } })).to.equal(false);
  });

  it('has operators by the kind of the field', () => {
    const isCondition = (field: string, op: string, value: unknown): boolean =>
      isCard({
        surcharges: [{ code: 'X', when: [{ field, op, value }], amount: { flat: '1' }, fuelable: true, taxable: true }],
      });
    expect(isCondition('billable_kg', 'between', [1, 2])).to.equal(true);
    expect(isCondition('billable_kg', 'between', [1])).to.equal(false);
    expect(isCondition('billable_kg', '>', '1')).to.equal(false);
    expect(isCondition('cod_amount', '>', '1')).to.equal(true);
    expect(isCondition('cod_amount', '>', 1)).to.equal(false);
    expect(isCondition('lane', '>', 'A')).to.equal(false);
    expect(isCondition('country_pair', '=', 'DE-FR')).to.equal(true);
    expect(isCondition('country_pair', '=', 'DE-XX')).to.equal(false);
    expect(isCondition('residential', '=', true)).to.equal(true);
    expect(isCondition('residential', 'in', [true])).to.equal(false);
    expect(isCondition('color', '=', 'red')).to.equal(false);
  });

  it('has the same digest for any order of members', () => {
    const card = cardOf({ table: TABLE, minimum: '5' });
    const reversed = Object.fromEntries(Object.entries(card).reverse()) as Card;
    expect(cardDigest(reversed))
      .to.equal(cardDigest(card))
      .and.match(/^[0-9a-f]{64}$/);
    expect(cardDigest({ ...card, minimum: '5.0' })).to.not.equal(cardDigest(card));
  });

  it('with 20,000 weight breaks is below its maximum size', () => {
    const breaks = Array.from({ length: 100 }, (_, at) => ({ up_to_kg: (at + 1) / 2, amount: '123.45' }));
    const table = Array.from({ length: 200 }, (_, at) => ({ service: 'EU-ROAD', lane: `LANE-${at}`, breaks }));
    expect(Buffer.byteLength(canonical({ ...cardOf({}), table }))).to.be.below(MAX_CARD_BYTES);
  });
});
