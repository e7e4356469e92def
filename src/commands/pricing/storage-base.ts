/** Base price of storage: paid days by tier. Days are calendar dates, so a change of the clock has no effect. */
import { decimal, type Decimal } from '../../events/core/money.js';
import type { StorageBase, StorageMeasure } from '../../events/pricing/bases.js';
import type { PriceInputs } from '../../events/pricing/inputs.js';
import { everywhere, type Base } from './base-price.js';
import { ZERO } from './bill.js';
import { dayNumber } from './dates.js';
import { measureDecimal, thousandths } from './measures.js';
import type { Parcel } from './parcel.js';

type StorageInputs = NonNullable<PriceInputs['storage']>;
type StorageClass = NonNullable<StorageBase['classes']>[number];

export function storageBase(rule: StorageBase): Base {
  return {
    serves: everywhere,
    price: ({ inputs: { storage }, parcels }, bill) => {
      if (!storage) return 'NOT_SERVED';
      const storageClass = classOf(rule.classes, storage.class_code, parcels);
      if (typeof storageClass === 'string') return storageClass;
      const { factor } = storageClass;
      // The day of receipt is day 1.
      const days = dayNumber(storage.until_on) - dayNumber(storage.received_on) + 1;
      const tiers = paidTiers(rule, days);
      for (const { tier, from, count } of tiers) {
        const quantity = quantityOf(tier.per, storage, parcels);
        const amount = decimal(tier.per_day).times(quantity).times(String(count)).times(factor);
        bill.add('base', bill.round(amount), {
          from_day: String(from),
          days: String(count),
          per_day: tier.per_day,
          quantity: quantity.toFixed(),
          factor,
        });
      }
      // Free storage has a line too, because a price without lines would look like a missing price.
      if (tiers.length === 0) bill.add('base', ZERO, { days: '0', free_days: String(rule.free_days) });
      return { amount: bill.subtotal };
    },
  };
}

interface PaidTier {
  readonly tier: StorageBase['tiers'][number];
  /** First paid day of the tier. */
  readonly from: number;
  readonly count: number;
}

function paidTiers({ tiers, free_days }: StorageBase, days: number): PaidTier[] {
  return tiers
    .map((tier, index) => {
      const from = Math.max(tier.from_day, free_days + 1);
      const to = Math.min(days, (tiers[index + 1]?.from_day ?? Infinity) - 1);
      return { tier, from, count: to - from + 1 };
    })
    .filter(({ count }) => count > 0);
}

function classOf(
  classes: readonly StorageClass[] | undefined,
  code: string | undefined,
  parcels: readonly Parcel[],
): { readonly factor: string } | 'NOT_SERVED' | 'TOO_LARGE' {
  if (code !== undefined) return classes?.find((one) => one.code === code) ?? 'NOT_SERVED';
  if (!classes) return { factor: '1' };
  return classes.find((one) => parcels.every((parcel) => fits(parcel, one))) ?? 'TOO_LARGE';
}

const fits = (parcel: Parcel, { max_side_cm, max_weight_kg }: StorageClass): boolean =>
  (max_side_cm === undefined || parcel.sides[0] <= thousandths(max_side_cm)) &&
  (max_weight_kg === undefined || parcel.weight <= thousandths(max_weight_kg));

function quantityOf(per: StorageMeasure, storage: StorageInputs, parcels: readonly Parcel[]): Decimal {
  const count = parcels.length * 1_000;
  switch (per) {
    case 'package':
      return measureDecimal(count);
    case 'kg':
      return measureDecimal(parcels.reduce((sum, { billable }) => sum + billable, 0));
    case 'litre':
      // A cubic centimetre is a thousandth of a litre.
      return measureDecimal(
        storage.litres === undefined
          ? parcels.reduce((sum, { volume }) => sum + volume, 0)
          : thousandths(storage.litres),
      );
    case 'pallet':
      return measureDecimal(storage.pallets === undefined ? count : thousandths(storage.pallets));
  }
}
