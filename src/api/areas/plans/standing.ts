/** Routes that are replanned: what is on them, what is done, and what plans leave unchanged. */
import { isInHand } from '../../../events/orders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { RouteQueries } from '../../../projections/routes/queries.js';
import { ApiError } from '../../core/errors.js';
import { isDone, isOver, lockOf } from '../routes/locks.js';
import { positionOf, type OrderOfDay, type PlannedRoute, type PlannerOf, type StandingRoute } from './facts.js';
import type { PlanRequest } from './request.js';

const PAGE = 1_000;

/** The routes of the request. Throws where one is not there, closed, or without a driver of its own. */
export async function routesOf(
  routes: RouteQueries,
  { route_ids = [], mode }: PlanRequest,
  { business, brokerId }: PlannerOf,
): Promise<readonly PlannedRoute[]> {
  if (mode === 'build') return [];
  const found = await Promise.all(
    [...new Set(route_ids)].map(async (id) => {
      const route = await routes.byId(id, { business, ...(brokerId !== undefined && { brokerId }) });
      // A business plans nothing on a contractor's route.
      if (!route || (brokerId === undefined && route.broker_id !== null)) throw new ApiError('ROUTE_NOT_FOUND');
      if (route.status === 'closed') throw new ApiError('ROUTE_CLOSED');
      if (route.driver_id === null) throw new ApiError('ROUTE_HAS_NO_DRIVER', { params: { route: id } });
      return { ...route, driver_id: route.driver_id };
    }),
  );
  const drivers = found.map(({ driver_id }) => driver_id);
  const twice = drivers.find((id, index) => drivers.indexOf(id) < index);
  if (twice !== undefined) throw new ApiError('DRIVER_ON_SEVERAL_ROUTES', { params: { driver: twice } });
  return found;
}

/** With what is on them. */
export const standingOf = (
  orders: OrderQueries,
  routes: readonly PlannedRoute[],
  business: number,
): Promise<StandingRoute[]> =>
  Promise.all(
    routes.map(async (route) => {
      const on = (await orders.list({ offset: 0, limit: PAGE }, { business, routeIds: [route.id] })).orders;
      const known = new Map(on.map((order) => [order.id, order]));
      const stops = route.planned?.stops ?? [];
      const done = stops.filter(({ order_id, kind }) => {
        const order = order_id === undefined ? undefined : known.get(order_id);
        return order && isOver(order, kind);
      });
      const last = done.at(-1);
      const order = last && known.get(last.order_id!)!;
      const position = positionOf(last?.kind === 0 ? order?.pickup : order?.delivery);
      return {
        route,
        orders: on.filter((order) => !isDone(order)),
        done,
        underWay: done.length > 0,
        ...(last && position && { last: { position, leave: last.leave } }),
      };
    }),
  );

/** What is on a route and not done: bound to its driver as its lock, or the mode, says. */
export function keptOn(
  { route, orders, underWay }: StandingRoute,
  { mode, respect_pins, respect_manual }: PlanRequest,
): Omit<OrderOfDay, 'at'>[] {
  const { id: routeId, driver_id: driverId, planned } = route;
  const regarded = {
    pins: respect_pins ? route.pins : {},
    // Without respect for what people did it is as if plans had done it.
    planned_orders: respect_manual ? route.planned_orders : orders.map(({ id }) => id),
  };
  const places = new Map(planned?.stops.map(({ order_id, kind }, index) => [`${order_id} ${kind}`, index + 1]));
  const behind = (planned?.stops.length ?? 0) + 1;
  return orders.map((order, index) => {
    const placeOf = (kind: 0 | 1): number => places.get(`${order.id} ${kind}`) ?? behind + 2 * index + kind;
    const lock = lockOf(order, regarded, underWay);
    return {
      orderId: order.id,
      order,
      routeId,
      inHand: isInHand(order.status),
      place: { pickup: placeOf(0), delivery: placeOf(1) },
      ...(lock && { lock }),
      ...((lock || mode === 'insert') && { driverId }),
      ...((regarded.pins[order.id] === 'position' || mode === 'insert') && { ranked: true }),
    };
  });
}
