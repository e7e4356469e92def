/** The choice of a rate, and the order in which missing labels are downloaded. */
import { expect } from 'chai';
import { chooseRate } from '../../../src/api/areas/labels/choose-rate.js';
import type { LabelQuote } from '../../../src/api/areas/labels/label-quotes.js';
import { createMissingRound } from '../../../src/areas/wiring/missing-labels.js';

const rate = (method_id: number, total: string, currency: string, days?: number) =>
  ({ total, currency, carrier: { method_id, carrier: 'Vans', cost: '1.00', delivery_days: days } }) as LabelQuote;
const methodsOf = (rates: readonly LabelQuote[]) => rates.map(({ carrier }) => carrier.method_id);

describe('rates in several currencies', () => {
  const dollars = [rate(1, '9.00', 'USD', 1), rate(2, '8.00', 'USD', 4)];
  const euros = [rate(3, '7.00', 'EUR', 2), rate(4, '2.00', 'EUR', 9), rate(5, '3.00', 'EUR', 3)];
  const orders = [
    [...dollars, ...euros],
    [...euros, ...dollars],
    [euros[0]!, dollars[0]!, euros[1]!, dollars[1]!, euros[2]!],
  ];

  it('are those of the most frequent currency, whatever the order of the rates', () => {
    for (const rates of orders) {
      expect(methodsOf(chooseRate(rates, { strategy: 'cheapest' }))).to.deep.equal([4, 5, 3]);
      expect(methodsOf(chooseRate(rates, { strategy: 'fastest' }))).to.deep.equal([3, 5, 4]);
      expect(methodsOf(chooseRate(rates, { strategy: 'best_value' }))).to.deep.equal([5, 3]);
    }
  });

  it('are those of the first currency by alphabet if several are equally frequent', () => {
    const rates = [...dollars, ...euros.slice(1)];
    for (const given of [rates, [...rates].reverse()])
      expect(methodsOf(chooseRate(given, { strategy: 'cheapest' }))).to.deep.equal([4, 5]);
  });

  it('are compared with the maximum price in that currency only', () => {
    expect(methodsOf(chooseRate(orders[0]!, { strategy: 'cheapest', maxPrice: '2.50' }))).to.deep.equal([4]);
  });
});

describe('rounds of downloads of missing labels', () => {
  it('reach every order, although some labels are never available', async () => {
    const ids = Array.from({ length: 45 }, (_, index) => 7 + index * 3);
    const tried: number[] = [];
    const round = createMissingRound({
      missing: async (_since, { after, limit }) =>
        ids
          .filter((id) => id > after)
          .slice(0, limit)
          .map((orderId) => ({ orderId, business: 1 })),
      download: async (orderId) => {
        tried.push(orderId);
        if (orderId % 2 === 0) throw new Error('never available');
      },
    });
    for (let n = 0; n < 3; n++)
      expect(await round('2026-01-01').catch((error: Error) => error.message)).to.be.oneOf([
        undefined,
        'never available',
      ]);
    expect(tried).to.deep.equal(ids);
    await round('2026-01-01').catch(() => undefined);
    expect(tried.slice(ids.length), 'and then begin again').to.deep.equal(ids.slice(0, 20));
  });
});
