/** The order as the rate card prices it. */
import { localDate } from '../../../events/core/local-time.js';
import type { Order } from '../../../projections/orders/queries.js';
import { pricedStops } from '../pricing/priced-inputs.js';
import type { RateInput } from '../pricing/rate-input.js';
import { toPackage } from './sizes.js';

/** The members of an order that its price depends on. */
export type PricedMembers = Pick<
  Order,
  'type' | 'warehouse_id' | 'pickup' | 'delivery' | 'packages' | 'schedule_date' | 'time_windows'
>;

/** Converts an order. A date in the past is omitted, because rate cards price only future dates. */
export function shipmentOf(
  { type, warehouse_id, pickup, delivery, packages, schedule_date, time_windows }: PricedMembers,
  serviceCode: string | undefined,
  { time, timezone }: { readonly time: number; readonly timezone: string },
): RateInput {
  const isPast = schedule_date !== null && schedule_date < localDate(time, timezone);
  return {
    ...pricedStops({
      type,
      warehouse_id: warehouse_id ?? undefined,
      pickup: (pickup ?? undefined) as RateInput['pickup'],
      delivery: (delivery ?? undefined) as RateInput['delivery'],
    }),
    packages: packages.map((parcel) => {
      const { weight_kg, length_cm, width_cm, height_cm } = toPackage(parcel);
      return { weight_kg, length_cm, width_cm, height_cm };
    }),
    schedule_date: isPast ? undefined : (schedule_date ?? undefined),
    time_windows,
    service_codes: serviceCode === undefined ? undefined : [serviceCode],
    options: [],
  };
}
