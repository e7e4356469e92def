/**
 * Visibility of orders: only those of the business. Customers see their own, contractors those assigned to them,
 * drivers those on their routes.
 */
import type { Order, OrderQueries, OrderViewer } from '../../../projections/orders/queries.js';
import { businessOf, userOf, STAFF_ROLES, type Caller, type CallerKind } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';

export const READERS = [...STAFF_ROLES, 'broker', 'driver', 'customer'] as const satisfies readonly CallerKind[];
export const WRITERS = ['client_admin', 'employee'] as const satisfies readonly CallerKind[];

export function viewerOf(caller: Caller): OrderViewer {
  const business = businessOf(caller);
  const { role, userId } = userOf(caller);
  return {
    business,
    ...(role === 'customer' && { customerId: userId }),
    ...(role === 'broker' && { brokerId: userId }),
    ...(role === 'driver' && { driverId: userId }),
  };
}

/** Returns the order if the caller sees it; throws ORDER_NOT_FOUND. */
export async function visibleOrder(
  queries: OrderQueries,
  caller: Caller,
  {
    order_id,
    tracking_number,
  }: { readonly order_id?: number | undefined; readonly tracking_number?: string | undefined },
): Promise<Order> {
  const viewer = viewerOf(caller);
  const order =
    order_id !== undefined
      ? await queries.byId(order_id, viewer)
      : tracking_number !== undefined
        ? await queries.byTrackingNumber(tracking_number, viewer)
        : undefined;
  if (!order) throw new ApiError('ORDER_NOT_FOUND');
  return order;
}
