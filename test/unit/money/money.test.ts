/** Amounts of money are exact and have the decimal places of their currency. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  amountSchema,
  compare,
  currencySchema,
  digitsOf,
  exact,
  isNegative,
  isPositive,
  minus,
  negated,
  rounded,
  smallestAmount,
  sum,
  times,
  TooPrecise,
} from '../../../src/events/core/money.js';

describe('money', () => {
  it('money R1: an amount is a decimal string, a currency an ISO 4217 code', () => {
    for (const good of ['0', '12.5', '-0.0001', '999999999999.9999'])
      expect(amountSchema.safeParse(good).success, good).to.equal(true);
    for (const bad of ['', '01', '1.', '.5', '+1', '1e3', '1,5', '1000000000000', '1.00000', ' 1'])
      expect(amountSchema.safeParse(bad).success, bad).to.equal(false);
    expect(amountSchema.safeParse(12.5).success).to.equal(false);
    for (const [code, known] of [
      ['EUR', true],
      ['XXX', false],
      ['eur', false],
      ['constructor', false],
    ] as const)
      expect(currencySchema.safeParse(code).success, code).to.equal(known);
    expect(['JPY', 'KWD', 'CLF', 'HUF'].map(digitsOf)).to.deep.equal([0, 3, 4, 2]);
  });

  it('money R2: it has exactly the decimal places of its currency: fewer are filled up, more are rejected', () => {
    const shown = (amount: string, currency: string) => exact({ amount, currency }).amount;
    expect(shown('12.5', 'EUR')).to.equal('12.50');
    expect(shown('1250', 'JPY')).to.equal('1250');
    expect(shown('1.25', 'KWD')).to.equal('1.250');
    expect(shown('-0', 'EUR')).to.equal('0.00');
    expect(() => shown('12.505', 'EUR')).to.throw(TooPrecise);
    expect(() => shown('1250.0', 'JPY')).to.throw(TooPrecise);
  });

  it('money R3: amounts are subtracted and compared exactly, and zero has no sign', () => {
    const euros = (amount: string) => ({ amount, currency: 'EUR' });
    expect(minus(euros('0.3'), euros('0.1')).amount).to.equal('0.20');
    expect(minus(euros('1.00'), euros('1')).amount).to.equal('0.00');
    expect(minus(euros('1'), euros('-0.01')).amount).to.equal('1.01');
    expect(() => minus(euros('1'), { amount: '1', currency: 'USD' })).to.throw(TypeError);
    expect(['1.50', '-1.50', '0.00'].map(negated)).to.deep.equal(['-1.50', '1.50', '0.00']);
    expect([compare('10', '9.99'), compare('1.0', '1.00'), compare('-2', '-1')]).to.deep.equal([1, 0, -1]);
    expect(['-0.01', '0', '-0', '0.01'].map(isNegative)).to.deep.equal([true, false, false, false]);
    expect(['-0.01', '0', '0.01'].map(isPositive)).to.deep.equal([false, false, true]);
    expect(() => compare(1 as never, '1')).to.throw();
    expect(['EUR', 'JPY', 'KWD', 'CLF'].map(smallestAmount)).to.deep.equal(['0.01', '1', '0.001', '0.0001']);
  });

  it('money R3, R5: sums and products are exact, and rounded half up once', () => {
    expect(sum({ amount: '0.10', currency: 'EUR' }, { amount: '0.20', currency: 'EUR' }).amount).to.equal('0.30');
    expect(() => sum({ amount: '1', currency: 'EUR' }, { amount: '1', currency: 'USD' })).to.throw(TypeError);
    expect(times('1.005', '100')).to.equal('100.5');
    expect([
      rounded('1.005', 'EUR'),
      rounded('-1.005', 'EUR'),
      rounded('2.5', 'JPY'),
      rounded('-0.004', 'EUR'),
    ]).to.deep.equal(['1.01', '-1.01', '3', '0.00']);
    expect(() => times(1.5 as never, '2')).to.throw();
    const cents = fc.integer({ min: -99_999_999, max: 99_999_999 });
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 30 }), (all) => {
        const money = all.map((cent) => ({ amount: rounded(times(String(cent), '0.01'), 'EUR'), currency: 'EUR' }));
        const total = sum(money[0]!, ...money.slice(1));
        expect(times(total.amount, '100')).to.equal(String(all.reduce((so, cent) => so + cent, 0)));
      }),
    );
  });
});
