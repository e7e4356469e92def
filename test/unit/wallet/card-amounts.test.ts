/** Amounts in the form of the provider, and the delays between reads of a payment. */
import { expect } from 'chai';
import { nextReadIn } from '../../../src/areas/wiring/card-work.js';
import { cardDigitsOf, fromCardAmount, toCardAmount } from '../../../src/engines/payments/card-amounts.js';
import { timeLimits } from '../../../src/events/core/time-limits.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('amounts of card payments', () => {
  it('are whole numbers of the smallest unit of the provider', () => {
    for (const [amount, currency, units] of [
      ['12.50', 'EUR', 1_250],
      ['0.07', 'USD', 7],
      ['500', 'JPY', 500],
      ['5', 'ISK', 500],
      ['5', 'UGX', 500],
      ['5.120', 'KWD', 5_120],
      ['12.00', 'MGA', 12],
      ['50000.00', 'EUR', 5_000_000],
    ] as const) {
      expect(toCardAmount({ amount, currency }), `${amount} ${currency}`).to.equal(units);
      expect(fromCardAmount(units, currency), `${units} ${currency}`).to.equal(amount);
    }
  });

  it('have at most the digits that cards can pay', () => {
    expect(['EUR', 'JPY', 'KWD', 'ISK', 'MGA', 'CLF'].map(cardDigitsOf)).to.deep.equal([2, 0, 2, 0, 0, 2]);
    for (const [amount, currency] of [
      ['5.124', 'KWD'],
      ['1.5', 'MGA'],
      ['0.5', 'ISK'],
    ] as const)
      expect(() => toCardAmount({ amount, currency }), `${amount} ${currency}`).to.throw(RangeError);
    expect(() => fromCardAmount(550, 'ISK')).to.throw();
  });
});

describe('reads of card payments', () => {
  const limits = timeLimits();
  const next = (reads: number, ageMs: number, expected: Parameters<typeof nextReadIn>[1]) =>
    nextReadIn({ reads, begunAt: new Date(0) }, expected, limits, ageMs);

  it('are after 10 s, 1 min, 5 min, then hourly for 3 days', () => {
    expect(limits.paymentFirstReadMs).to.equal(10_000);
    expect([0, 1, 2, 50].map((reads) => next(reads, 0, 'payment'))).to.deep.equal([60_000, 300_000, HOUR_MS, HOUR_MS]);
    expect(next(80, 3 * DAY_MS - 1, 'payment')).to.equal(HOUR_MS);
    expect(next(80, 3 * DAY_MS, 'payment')).to.equal(undefined);
  });

  it('continue daily for a pending refund, for 45 days, and end when nothing is expected', () => {
    expect(next(80, 3 * DAY_MS, 'refund')).to.equal(DAY_MS);
    expect(next(120, 45 * DAY_MS, 'refund')).to.equal(undefined);
    expect(next(0, 0, undefined)).to.equal(undefined);
  });
});
