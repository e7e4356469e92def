/** Step 4: the price of an additional package. */
import { decimal, type Decimal } from '../../events/core/money.js';
import type { PackagesRule } from '../../events/pricing/bases.js';
import type { Basis } from '../../events/pricing/outcome.js';
import { HUNDREDTH } from './bill.js';

export interface FurtherPrice {
  /** Rounded. */
  readonly unit: Decimal;
  readonly basis: Basis;
}

/** Returns the price of an additional package by the base of the package or the shipment. */
export type Further = (base: Decimal) => FurtherPrice;

export function compileFurther(rule: PackagesRule['further'], digits: number): Further {
  if ('flat' in rule) {
    const unit = decimal(rule.flat).round(digits);
    return () => ({ unit, basis: { flat: rule.flat } });
  }
  const { percent } = rule;
  const factor = decimal(percent).times(HUNDREDTH);
  return (base) => ({ unit: base.times(factor).round(digits), basis: { base_amount: base.toFixed(digits), percent } });
}
