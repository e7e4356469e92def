/** The planned sequence of orders and stops of a route. */
import type { OrderType } from '../../../events/orders/contents.js';
import type { PlannedRoute } from '../../../projections/routes/read-model.js';

/** Indexed by the number of the kind in events. */
export const STOP_KINDS = ['pickup', 'delivery', 'break'] as const;

/**
 * Orders in the planned sequence; unplanned orders of the route come last. An order with two stops is placed at its
 * first one.
 */
export function inSequence<O extends { readonly id: number }>(orders: readonly O[], planned: PlannedRoute | null): O[] {
  const place = new Map<number, number>();
  planned?.stops.forEach(({ order_id }, index) => {
    if (order_id !== undefined && !place.has(order_id)) place.set(order_id, index);
  });
  const at = ({ id }: O): number => place.get(id) ?? Infinity;
  return [...orders].sort((one, other) => (at(one) === at(other) ? 0 : at(one) - at(other)));
}

/** Stops of an order on a route. For `D` and `P`, the other end is a warehouse of the business. */
export const STOPS: Readonly<Record<OrderType, readonly ('pickup' | 'delivery')[]>> = {
  D: ['delivery'],
  P: ['pickup'],
  P2P: ['pickup', 'delivery'],
};
