/** Counts the stops that a driver makes before the stops of an order. */
import { statusRow, type OrderStatus, type OrderType } from '../../../events/orders/events.js';
import type { PlannedRoute } from '../../../projections/routes/read-model.js';
import { isStopCompleted } from '../routes/locks.js';
import { STOPS } from '../routes/planned.js';

interface RouteOrder {
  readonly id: number;
  readonly type: OrderType;
  readonly status: OrderStatus;
}

/** A failed stop also counts as made. */
const isOpen = ({ status }: RouteOrder, kind: 0 | 1): boolean =>
  !isStopCompleted({ status }, kind) && !statusRow(status).exception;
/** Numbers of stop kinds in events; 2 is a break. */
const KIND_NUMBERS = { pickup: 0, delivery: 1 } as const;
const openStopCount = (order: RouteOrder): number =>
  STOPS[order.type].filter((kind) => isOpen(order, KIND_NUMBERS[kind])).length;

/**
 * Number of open stops of other orders before the order, by the planned sequence. If no plan contains the order, all
 * open stops of other orders count. Undefined: the order has no open stop.
 */
export function openStopsBefore(
  orderId: number,
  onRoute: readonly RouteOrder[],
  planned: Pick<PlannedRoute, 'stops'> | null,
): number | undefined {
  const known = new Map(onRoute.map((order) => [order.id, order]));
  const own = known.get(orderId);
  if (!own || openStopCount(own) === 0) return undefined;
  let before = 0;
  for (const { order_id, kind } of planned?.stops ?? []) {
    const order = order_id === undefined ? undefined : known.get(order_id);
    if (!order || kind === 2 || !isOpen(order, kind)) continue;
    if (order.id === orderId) return before;
    before += 1;
  }
  return onRoute.filter(({ id }) => id !== orderId).reduce((sum, order) => sum + openStopCount(order), 0);
}
