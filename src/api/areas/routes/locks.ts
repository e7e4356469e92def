/** Completed stops of a route, and stops that plans must not change. */
import { isFinal, isInHand } from '../../../events/orders/events.js';
import type { Lock, PlannedStop } from '../../../events/routes/events.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { Route } from '../../../projections/routes/queries.js';

type OrderState = Pick<Order, 'id' | 'status' | 'type'>;

/** Whether this stop of an order is completed. */
export const isStopCompleted = ({ status }: Pick<OrderState, 'status'>, kind: PlannedStop['kind']): boolean =>
  isFinal(status) || (kind === 0 && isInHand(status));

/** Whether no stop of the order is left on its route. */
export const isOrderCompleted = ({ status, type }: OrderState): boolean =>
  isFinal(status) || (type === 'P' && isInHand(status));

/** `underWay`: a stop of the route is completed, so goods for its deliveries were loaded at the start. */
export function lockOf(
  { id, status, type }: OrderState,
  { pins, planned_orders }: Pick<Route, 'pins' | 'planned_orders'>,
  underWay: boolean,
): Exclude<Lock, 'done'> | undefined {
  if (isInHand(status) || status === 'OUT_FOR_PICKUP' || (underWay && type === 'D')) return 'van';
  if (pins[id]) return 'pin';
  return planned_orders.includes(id) ? undefined : 'manual';
}

export const PROGRESS = ['planned', 'under_way', 'finished'] as const;

/**
 * Derives the progress from `/start` and `/finish` of the route, else from its orders. A route that was not started and
 * has no orders is `planned`.
 */
export function progressOf(
  { started_at, finished_at }: Pick<Route, 'started_at' | 'finished_at'>,
  orders: readonly OrderState[],
): (typeof PROGRESS)[number] {
  if (finished_at !== null) return 'finished';
  if (orders.length > 0 && orders.every(isOrderCompleted)) return 'finished';
  if (started_at !== null) return 'under_way';
  return orders.some((order) => isOrderCompleted(order) || isInHand(order.status) || order.status === 'OUT_FOR_PICKUP')
    ? 'under_way'
    : 'planned';
}
