/** Packaging, supplies and services by piece. */
import { decimal } from '../../events/core/money.js';
import type { PriceInputs } from '../../events/pricing/inputs.js';
import type { Bill } from './bill.js';

/** By code: the price of the card; undefined: the price is taken from the catalogue. */
export type ItemPrices = ReadonlyMap<string, string | undefined>;

/**
 * Adds a line for each item. Returns whether all of them have a price: otherwise the service is refused, so that no item
 * is free by mistake.
 */
export function addItems(prices: ItemPrices, { items = [] }: PriceInputs, bill: Bill): boolean {
  for (const { code, quantity, amount } of items) {
    const price = prices.has(code) ? (prices.get(code) ?? amount) : undefined;
    if (price === undefined) return false;
    const unit = bill.round(decimal(price));
    const count = String(quantity);
    bill.add('item', unit.times(count), { quantity: count, unit_amount: bill.text(unit) }, code);
  }
  return true;
}
