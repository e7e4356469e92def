/** Stops of a route in the order in which they are to be driven. */
import type { OrderType } from '../../../events/orders/contents.js';
import type { PlannedRoute } from '../../../projections/routes/read-model.js';

/** By the number used in events. */
export const STOP_KINDS = ['pickup', 'delivery', 'break'] as const;

/**
 * Orders in the sequence that was planned; what is on the route and in no plan comes last. An order with two stops
 * is placed at its first one.
 */
export function inSequence<O extends { readonly id: number }>(orders: readonly O[], planned: PlannedRoute | null): O[] {
  const place = new Map<number, number>();
  planned?.stops.forEach(({ order_id }, index) => {
    if (order_id !== undefined && !place.has(order_id)) place.set(order_id, index);
  });
  const at = ({ id }: O): number => place.get(id) ?? Infinity;
  return [...orders].sort((one, other) => (at(one) === at(other) ? 0 : at(one) - at(other)));
}

/** The other end is a warehouse of the business. */
export const STOPS: Readonly<Record<OrderType, readonly ('pickup' | 'delivery')[]>> = {
  D: ['delivery'],
  P: ['pickup'],
  P2P: ['pickup', 'delivery'],
};
