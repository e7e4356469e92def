/** The price of a label without the lines that show what the carrier charges the business. */
import { digitsOf, sum } from '../../../events/core/money.js';
import type { PriceLine, ServicePrice } from '../../../events/pricing/outcome.js';

/**
 * The same price with all lines before taxes in one line. If there are taxes, and only some of the lines are taxable,
 * they are in two lines. Total and taxes are unchanged.
 */
export function withCombinedLines(service: ServicePrice, currency: string): ServicePrice {
  const before = service.lines.filter(({ kind }) => kind !== 'tax');
  const hasTaxes = before.length < service.lines.length;
  const combined = [true, false].flatMap((taxable): PriceLine[] => {
    // Without taxes, a second line would only show which part the carrier charges.
    const amounts = before
      .filter((line) => (hasTaxes ? line.taxable : before[0]!.taxable) === taxable)
      .map(({ amount }) => ({ amount, currency }));
    if (amounts.length === 0) return [];
    const { amount } = sum({ amount: '0', currency }, ...amounts);
    return [{ code: taxable || !hasTaxes ? 'base' : 'base_untaxed', kind: 'base', amount, taxable, basis: {} }];
  });
  const taxes = service.lines
    .filter(({ kind }) => kind === 'tax')
    .map((line) => ({
      ...line,
      basis: { ...(line.basis['percent'] !== undefined && { percent: line.basis['percent'] }) },
    }));
  return { ...service, lines: [...combined, ...taxes], surcharge_amount: (0).toFixed(digitsOf(currency)) };
}
