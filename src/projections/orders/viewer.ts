/** The orders that a viewer may see. */
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../core/database.js';

/** The viewing business. Each further member limits the orders. */
export interface OrderViewer {
  readonly business: number;
  /** Orders of this customer account. */
  readonly customerId?: number;
  /** Orders assigned to this contractor. */
  readonly brokerId?: number;
  /** Orders that are currently on this driver's routes. */
  readonly driverId?: number;
  /** Orders on these routes. */
  readonly routeIds?: readonly number[];
}

/** SQL condition on orders that the viewer may see. */
export function mayBeSeen(
  where: ExpressionBuilder<Database, 'orders.orders'>,
  { business, customerId, brokerId, driverId, routeIds }: OrderViewer,
) {
  return where.and([
    where('business', '=', business),
    ...(customerId !== undefined ? [where('customer_id', '=', customerId)] : []),
    ...(brokerId !== undefined
      ? [
          where(
            'id',
            'in',
            where.selectFrom('orders.contractor_orders').where('broker_id', '=', brokerId).select('order_id'),
          ),
        ]
      : []),
    ...(driverId !== undefined
      ? [
          where(
            'route_id',
            'in',
            where
              .selectFrom('routes.routes')
              .where('driver_id', '=', driverId)
              .where('business', '=', business)
              .select('id'),
          ),
        ]
      : []),
    ...(routeIds !== undefined ? [where('route_id', 'in', [-1, ...routeIds])] : []),
  ]);
}
