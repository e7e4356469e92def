/** Base price from the bands of road distance. */
import { decimal } from '../../events/core/money.js';
import type { DistanceBase, PackagesRule } from '../../events/pricing/bases.js';
import { everywhere, type Base } from './base-price.js';
import { compileFurther } from './further-packages.js';
import { measureDecimal, measureText, thousandths } from './measures.js';
import { firstAtLeast } from './weight-breaks.js';

export function distanceBase({ bands }: DistanceBase, packages: PackagesRule | undefined, digits: number): Base {
  const bounds = bands.map(({ up_to_km }) => thousandths(up_to_km));
  const further = packages && compileFurther(packages.further, digits);
  return {
    serves: everywhere,
    price: ({ inputs: { distance_km }, parcels }, bill) => {
      if (distance_km === undefined) return 'NOT_SERVED';
      const distance = thousandths(distance_km);
      const at = firstAtLeast(bounds, distance);
      const band = bands[at];
      if (!band) return 'NOT_SERVED';
      const above = bounds[at - 1] ?? 0;
      const base = bill.round(decimal(band.base).plus(measureDecimal(distance - above).times(band.per_km)));
      bill.add('base', base, {
        distance_km: measureText(distance),
        above_km: measureText(above),
        up_to_km: measureText(bounds[at]!),
        base: band.base,
        per_km: band.per_km,
      });
      if (!further || parcels.length < 2) return { amount: base };
      const { unit, basis } = further(base);
      const count = String(parcels.length - 1);
      const amount = unit.times(count);
      bill.add('further_packages', amount, { packages: count, unit_amount: bill.text(unit), ...basis });
      return { amount: base.plus(amount) };
    },
  };
}
