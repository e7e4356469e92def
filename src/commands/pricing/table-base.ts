/** Base price from the table of weight breaks. Each package has its base. */
import { decimal, type Decimal } from '../../events/core/money.js';
import type { PackagesRule, TableEntry } from '../../events/pricing/bases.js';
import type { Base } from './base-price.js';
import { ZERO, type Bill } from './bill.js';
import { compileFurther, type Further, type FurtherPrice } from './further-packages.js';
import { measureText } from './measures.js';
import type { Parcel } from './parcel.js';
import { WeightBreaks, type Cell } from './weight-breaks.js';

/** A package with its part of the price. */
interface PricedParcel {
  readonly parcel: Parcel;
  readonly cell: Cell;
  /** Undefined: the package has its base. */
  readonly further: FurtherPrice | undefined;
  /** Rounded. */
  readonly unit: Decimal;
}

export function tableBase(table: readonly TableEntry[], packages: PackagesRule | undefined, digits: number): Base {
  const entries = new Map<string, Map<string, WeightBreaks>>();
  for (const { service, lane, breaks } of table) {
    const lanes = entries.get(service) ?? new Map<string, WeightBreaks>();
    entries.set(service, lanes.set(lane, new WeightBreaks(breaks, digits)));
  }
  const first = packages && packages.first !== 'each' ? decimal(packages.first).round(digits) : undefined;
  const further = packages && compileFurther(packages.further, digits);
  return {
    serves: (service, lane) => entries.get(service)?.has(lane) ?? false,
    price: ({ service, lane, parcels }, bill) => {
      const breaks = entries.get(service.service.code)?.get(lane);
      if (!breaks || parcels.length === 0) return 'NOT_SERVED';
      const priced: PricedParcel[] = [];
      for (const parcel of parcels) {
        const cell = breaks.find(parcel.billable);
        if (!cell) return 'TOO_HEAVY';
        priced.push({ parcel, cell, further: undefined, unit: cell.amount });
      }
      const units = further ? withFurther(priced, first, further) : priced;
      addLines(units, bill);
      return { amount: bill.subtotal, shareOf: (some) => sumOf(units.filter(({ parcel }) => some.includes(parcel))) };
    },
  };
}

const sumOf = (units: readonly PricedParcel[]): Decimal => units.reduce((sum, { unit }) => sum.plus(unit), ZERO);

/** The package with the highest base is the first one; of equal ones the earlier. */
function withFurther(
  priced: readonly PricedParcel[],
  amount: Decimal | undefined,
  further: Further,
): readonly PricedParcel[] {
  const first = priced.reduce((highest, one) => (one.unit.gt(highest.unit) ? one : highest));
  const units: PricedParcel[] = [amount ? { ...first, unit: amount } : first];
  for (const one of priced)
    if (one !== first) {
      const price = further(one.unit);
      units.push({ parcel: one.parcel, cell: one.cell, further: price, unit: price.unit });
    }
  return units;
}

/** Packages of the same kind and billable weight are one line. The first package is always a separate line. */
function addLines(units: readonly PricedParcel[], bill: Bill): void {
  const isEqual = (a: PricedParcel, b: PricedParcel): boolean =>
    !a.further === !b.further && a.parcel.billable === b.parcel.billable;
  for (const [index, one] of units.entries()) {
    if (units.findIndex((other) => isEqual(one, other)) < index) continue;
    const { parcel, cell, further, unit } = one;
    const packages = String(units.filter((other) => isEqual(one, other)).length);
    bill.add(further ? 'further_packages' : 'base', unit.times(packages), {
      packages,
      unit_amount: bill.text(unit),
      billable_kg: measureText(parcel.billable),
      ...cell.basis,
      ...further?.basis,
    });
  }
}
