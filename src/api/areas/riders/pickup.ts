/** Where a rider has to go for an order, and whether a rider may have it at all. */
import { statusRow } from '../../../events/orders/events.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { ErrorCode } from '../../core/errors.js';
import type { Parts } from '../../core/parts.js';
import { isLocated, type Geocode } from '../datasets/geocode.js';

export interface PickupOptions extends Parts<'warehouses'> {
  /** For stops without coordinates. */
  readonly geocode: Geocode;
}

/** A place where goods are fetched: coordinates, and its area. */
export interface Pickup {
  readonly latitude: number;
  readonly longitude: number;
  readonly city?: string | undefined;
  readonly postal_code?: string | undefined;
}

/** Where the goods are: in the order's warehouse, where it starts in one, else at the pick-up. Undefined: nobody knows. */
export type PickupOf = (order: Order) => Promise<Pickup | undefined>;

export const createPickups =
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

/** What keeps the order from a rider; undefined: nothing. */
export function hindranceOf(order: Order): ErrorCode | undefined {
  if (order.route_id !== null) return 'ORDER_ON_ROUTE';
  if (order.broker_id !== null) return 'ASSIGNED_TO_CONTRACTOR';
  if (order.third_party !== null) return 'HELD_BY_THIRD_PARTY';
  if (!order.self_delivery) return 'NOT_SELF_DELIVERY';
  return statusRow(order.status).dispatchable ? undefined : 'NOT_DISPATCHABLE';
}
