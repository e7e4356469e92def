/** Base price of the use of a device's cell: the band of its minutes. */
import { decimal } from '../../events/core/money.js';
import type { DeviceBase } from '../../events/pricing/bases.js';
import { everywhere, type Base } from './base-price.js';
import { measureText, thousandths } from './measures.js';

const DAY = thousandths(24 * 60);

export function deviceBase(sizes: readonly DeviceBase[]): Base {
  const bySize = new Map(sizes.map((size) => [size.cell_size, size]));
  return {
    serves: everywhere,
    price: ({ inputs: { device } }, bill) => {
      const size = device && bySize.get(device.cell_size);
      if (!device || !size) return 'NOT_SERVED';
      const minutes = thousandths(device.minutes);
      // A started band counts in full; exactly `minutes_to` belongs to the band.
      const band = size.bands.find(({ minutes_to }) => minutes_to === undefined || minutes <= thousandths(minutes_to));
      if (!band) return 'NOT_SERVED';
      const { day_cap } = size;
      const days = String(Math.max(1, Math.ceil(minutes / DAY)));
      const cap = day_cap === undefined ? undefined : decimal(day_cap).times(days);
      const price = decimal(band.amount);
      const amount = bill.round(cap && price.gt(cap) ? cap : price);
      bill.add('base', amount, {
        minutes: measureText(minutes),
        minutes_from: String(band.minutes_from),
        ...(band.minutes_to !== undefined && { minutes_to: String(band.minutes_to) }),
        amount: band.amount,
        ...(day_cap !== undefined && { day_cap, days }),
      });
      return { amount };
    },
  };
}
