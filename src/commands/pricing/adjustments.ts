/** Steps 6 to 8: fuel, minimum and markup. */
import { decimal, type Decimal } from '../../events/core/money.js';
import type { Card } from '../../events/pricing/card.js';
import { HUNDREDTH, type Bill } from './bill.js';

/** The fuel percentage of the ship date, on the base and the fuelable surcharges. */
export function addFuel({ fuel = [] }: Card, shipDate: string, fuelable: Decimal, bill: Bill): void {
  const period = fuel.find(
    ({ date_from, date_to }) => date_from <= shipDate && (date_to === undefined || shipDate <= date_to),
  );
  if (!period) return;
  const { percent, date_from } = period;
  const amount = bill.round(fuelable.times(percent).times(HUNDREDTH));
  bill.add('fuel', amount, { percent, fuelable_amount: bill.text(fuelable), date_from });
}

/** The difference to the minimum, if the lines are below it. */
export function addMinimum({ minimum }: Card, bill: Bill): void {
  if (minimum === undefined) return;
  const { subtotal } = bill;
  const difference = bill.round(decimal(minimum)).minus(subtotal);
  if (difference.gt('0')) bill.add('minimum', difference, { minimum, amount: bill.text(subtotal) });
}

/** The customer's markup or discount, on all lines before taxes. */
export function addMarkup(percent: string | undefined, bill: Bill): void {
  if (percent === undefined || decimal(percent).eq('0')) return;
  const { subtotal } = bill;
  const amount = bill.round(subtotal.times(percent).times(HUNDREDTH));
  bill.add('markup', amount, { percent, amount: bill.text(subtotal) });
}
