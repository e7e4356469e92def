/** Properties of every price: random cards without faults, and random inputs. */
import { expect } from 'chai';
import fc from 'fast-check';
import { compileCard } from '../../../src/commands/pricing/compile.js';
import { DimensionsNeeded } from '../../../src/commands/pricing/parcel.js';
import { price } from '../../../src/commands/pricing/price.js';
import { amountSchema, digitsOf, sum } from '../../../src/events/core/money.js';
import { cardDigest, cardSchema, type Card } from '../../../src/events/pricing/card.js';
import { priceInputsSchema, type PriceInputs } from '../../../src/events/pricing/inputs.js';
import { REFUSALS, type PriceLine, type ServicePrice } from '../../../src/events/pricing/outcome.js';
import { atDepth } from '../../support/depth.js';
import { priceInputs, validCard } from '../../support/inputs/rate-cards.js';

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** pricing R2: sums of lines are exact, and each amount has the digits of the currency. */
function expectSums(priced: ServicePrice, currency: string): void {
  const digits = digitsOf(currency);
  const total = (holds: (line: PriceLine) => boolean): string =>
    sum({ amount: '0', currency }, ...priced.lines.filter(holds).map(({ amount }) => ({ amount, currency }))).amount;
  expect(priced.total).to.equal(total((line) => !line.is_included));
  expect(priced.subtotal).to.equal(total(({ kind }) => kind !== 'tax'));
  expect(priced.tax_amount).to.equal(total(({ kind }) => kind === 'tax'));
  expect(priced.surcharge_amount).to.equal(total(({ kind }) => kind === 'surcharge'));
  for (const { amount, kind } of [...priced.lines, { amount: priced.total, kind: 'total' }]) {
    expect(amountSchema.safeParse(amount).success, amount).to.equal(true);
    expect(amount.split('.')[1]?.length ?? 0).to.equal(digits);
    if (kind !== 'markup') expect(amount.startsWith('-'), `${kind} ${amount}`).to.equal(false);
  }
}

describe('price: properties', () => {
  it('pricing R1, R2: every service prices or refuses, with exact sums, and the same bytes again', () => {
    const counts = { priced: 0, refused: 0 };
    fc.assert(
      fc.property(validCard, priceInputs, ([card, terms], inputs) => {
        cardSchema.parse(card);
        priceInputsSchema.parse(inputs);
        const texts = (one: Card, other: PriceInputs): string => {
          try {
            return JSON.stringify(price(compileCard(one, terms), other));
          } catch (error) {
            if (!(error instanceof DimensionsNeeded)) throw error;
            return error.message;
          }
        };
        const compiled = compileCard(card, terms);
        const text = texts(card, inputs);
        expect(texts(card, inputs)).to.equal(text);
        expect(texts(copy(card), copy(inputs))).to.equal(text);
        expect(cardDigest(copy(card))).to.equal(cardDigest(card));
        expect(text).to.not.match(/NaN|undefined|Infinity|\de[+-]?\d/);
        if (text.startsWith('The')) return;
        const outcomes = price(compiled, inputs);
        expect(JSON.stringify(outcomes)).to.equal(text);
        const wanted = inputs.service_codes ? new Set(inputs.service_codes) : new Set(['ROAD', 'AIR']);
        expect(new Set(outcomes.map(({ service_code }) => service_code))).to.deep.equal(wanted);
        expect(outcomes).to.have.length(wanted.size);
        for (const outcome of outcomes) {
          counts['refused' in outcome ? 'refused' : 'priced'] += 1;
          if ('refused' in outcome) expect(REFUSALS).to.include(outcome.refused);
          else expectSums(outcome, terms.currency);
        }
      }),
      { numRuns: atDepth(100_000, 2_000) },
    );
    // The random inputs fit the random cards often enough.
    expect(counts.priced).to.be.above(counts.refused / 2);
  });
});
