/** Step 9: taxes on the taxable lines. Included taxes are shown and not added. */
import { decimal, type Decimal } from '../../events/core/money.js';
import type { Tax } from '../../events/pricing/card.js';
import { HUNDREDTH, ZERO, type Bill } from './bill.js';
import { compileConditions } from './conditions.js';
import type { Shipment } from './shipment.js';

export interface CompiledTax {
  readonly tax: Tax;
  readonly percent: Decimal;
  readonly applies: (shipment: Shipment) => boolean;
}

export function compileTax(tax: Tax): CompiledTax {
  const { select } = compileConditions(tax.when);
  return { tax, percent: decimal(tax.percent), applies: (shipment) => select(shipment) !== undefined };
}

export function addTaxes(taxes: readonly CompiledTax[], shipment: Shipment, bill: Bill): void {
  const due = taxes.filter(({ applies }) => applies(shipment));
  if (due.length === 0) return;
  const { taxable } = bill;
  const taxable_amount = bill.text(taxable);
  // Several included taxes share the amount: each is its part of 100 + the sum of their percents.
  const included = due.reduce((sum, { tax, percent }) => (tax.inclusive ? sum.plus(percent) : sum), ZERO);
  const whole = included.plus('100');
  for (const { tax, percent } of due) {
    const exact = tax.inclusive ? taxable.times(percent).div(whole) : taxable.times(percent).times(HUNDREDTH);
    bill.addTax(tax, bill.round(exact), {
      percent: tax.percent,
      taxable_amount,
      ...(tax.inclusive && { included_percent: included.toFixed() }),
    });
  }
}
