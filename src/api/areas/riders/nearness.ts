/** How many stops a driver has still to make before those of an order. */
import { statusRow, type OrderStatus, type OrderType } from '../../../events/orders/events.js';
import type { PlannedRoute } from '../../../projections/routes/read-model.js';
import { isOver } from '../routes/locks.js';
import { STOP_KINDS } from '../routes/planned.js';
import { STOPS } from '../routes/shapes.js';

interface OnRoute {
  readonly id: number;
  readonly type: OrderType;
  readonly status: OrderStatus;
}

/** One that failed is behind the driver, too. */
const isOpen = ({ status }: OnRoute, kind: 0 | 1): boolean => !isOver({ status }, kind) && !statusRow(status).exception;
const stopsOf = (order: OnRoute): (0 | 1)[] =>
  STOPS[order.type].map((kind) => (kind === 'pickup' ? 0 : 1)).filter((kind): kind is 0 | 1 => isOpen(order, kind as 0 | 1));

/**
 * Open stops of other orders, by the planned sequence; where none says when the order's turn is, all of them. Undefined:
 * the order has no open stop.
 */
export function openStopsBefore(
  orderId: number,
  onRoute: readonly OnRoute[],
  planned: Pick<PlannedRoute, 'stops'> | null,
): number | undefined {
  const known = new Map(onRoute.map((order) => [order.id, order]));
  const own = known.get(orderId);
  if (!own || stopsOf(own).length === 0) return undefined;
  let before = 0;
  for (const { order_id, kind } of planned?.stops ?? []) {
    const order = order_id === undefined ? undefined : known.get(order_id);
    if (!order || STOP_KINDS[kind] === 'break' || !isOpen(order, kind as 0 | 1)) continue;
    if (order.id === orderId) return before;
    before += 1;
  }
  return onRoute.filter(({ id }) => id !== orderId).reduce((sum, order) => sum + stopsOf(order).length, 0);
}
