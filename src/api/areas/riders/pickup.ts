/** The pick-up place of an order for a rider, and whether a rider may deliver the order. */
import { statusRow } from '../../../events/orders/events.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { ErrorCode } from '../../core/errors.js';
import type { Parts } from '../../core/parts.js';
import { isLocated, type Geocode } from '../datasets/geocode.js';

export interface PickupOptions extends Parts<'warehouses'> {
  /** Finds coordinates of stops that have none. */
  readonly geocode: Geocode;
}

/** The place where a rider collects goods: coordinates, city and postal code. */
export interface Pickup {
  readonly latitude: number;
  readonly longitude: number;
  readonly city?: string | undefined;
  readonly postal_code?: string | undefined;
}

/**
 * The location of the goods: the order's warehouse, if the order starts there, else the pick-up. Undefined: unknown.
 */
export type PickupOf = (order: Order) => Promise<Pickup | undefined>;

export const createPickupOf =
  ({ warehouses, geocode }: PickupOptions): PickupOf =>
  async ({ type, pickup, warehouse_id, business }) => {
    const warehouse = type === 'D' && warehouse_id !== null ? await warehouses.byId(warehouse_id, business) : undefined;
    const stop = warehouse?.address ?? pickup;
    if (!stop) return undefined;
    const found = stop.position ? undefined : (await geocode(business, [stop], { bulk: true }))[0];
    const position = stop.position ?? (isLocated(found) && found.precision !== 'city' ? found.position : undefined);
    if (!position) return undefined;
    const { latitude, longitude } = position;
    return { latitude, longitude, city: stop.city, postal_code: stop.postal_code };
  };

/** Reason why a rider cannot deliver the order; undefined: none. */
export function ineligibilityOf(order: Order): ErrorCode | undefined {
  if (order.route_id !== null) return 'ORDER_ON_ROUTE';
  if (order.broker_id !== null) return 'ASSIGNED_TO_CONTRACTOR';
  if (order.third_party !== null) return 'HELD_BY_THIRD_PARTY';
  if (order.offered_until !== null) return 'OFFERED_TO_THIRD_PARTY';
  if (!order.self_delivery) return 'NOT_SELF_DELIVERY';
  return statusRow(order.status).dispatchable ? undefined : 'NOT_DISPATCHABLE';
}
