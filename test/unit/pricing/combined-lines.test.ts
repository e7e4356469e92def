/** The lines of a label's price that customers see: the cost of the carrier does not follow from them. */
import { expect } from 'chai';
import { withCombinedLines } from '../../../src/api/areas/pricing/combined-lines.js';
import type { PriceLine, ServicePrice } from '../../../src/events/pricing/outcome.js';

const line = (code: string, kind: PriceLine['kind'], amount: string, taxable: boolean): PriceLine => ({
  code,
  kind,
  amount,
  taxable,
  basis: {},
});
const COST = line('base', 'base', '4.90', true);
const FEE = line('fee', 'surcharge', '1.00', false);
const linesOf = (...lines: PriceLine[]) =>
  withCombinedLines({ lines, surcharge_amount: '1.00' } as unknown as ServicePrice, 'EUR').lines.map(
    ({ code, amount }) => [code, amount],
  );

describe('the combined lines of a price', () => {
  it('are one line without taxes, also if only some lines are taxable', () => {
    expect(linesOf(COST, FEE)).to.deep.equal([['base', '5.90']]);
    expect(linesOf(FEE, COST)).to.deep.equal([['base', '5.90']]);
  });

  it('are the taxable lines, the other lines and the taxes', () =>
    expect(linesOf(COST, FEE, line('vat', 'tax', '0.93', false))).to.deep.equal([
      ['base', '4.90'],
      ['base_untaxed', '1.00'],
      ['vat', '0.93'],
    ]));
});
