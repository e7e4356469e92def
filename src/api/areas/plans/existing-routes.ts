/** Routes that are replanned: their orders, completed stops, and stops that plans leave unchanged. */
import { isInHand } from '../../../events/orders/events.js';
import type { Order, OrderQueries } from '../../../projections/orders/queries.js';
import type { RouteQueries } from '../../../projections/routes/queries.js';
import { ApiError } from '../../core/errors.js';
import { isOrderCompleted, isStopCompleted, lockOf } from '../routes/locks.js';
import {
  positionOf,
  type OrderOfDay,
  type PlannedRoute,
  type Planner,
  type CompletedPart,
  type ExistingRoute,
} from './planning-data.js';
import type { PlanRequest } from './request.js';

const PAGE = 1_000;

/**
 * The date of the routes that are replanned; the routes must have the same date. Undefined if there are none. Throws
 * ROUTE_NOT_FOUND.
 */
export async function dayOf(
  routes: RouteQueries,
  { route_ids = [], mode }: PlanRequest,
  { business, brokerId }: Planner,
): Promise<string | undefined> {
  const [first] = route_ids;
  if (mode === 'build' || first === undefined) return undefined;
  const route = await routes.byId(first, { business, ...(brokerId !== undefined && { brokerId }) });
  if (!route) throw new ApiError('ROUTE_NOT_FOUND');
  return route.schedule_date;
}

/**
 * Returns the routes of the request. Throws if a route is unknown, closed, finished, of another date, or without a
 * driver, or if two routes have the same driver.
 */
export async function routesOf(
  routes: RouteQueries,
  { route_ids = [], mode, date }: PlanRequest & { readonly date: string },
  { business, brokerId }: Planner,
): Promise<readonly PlannedRoute[]> {
  if (mode === 'build') return [];
  const found = await Promise.all(
    [...new Set(route_ids)].map(async (id) => {
      const route = await routes.byId(id, { business, ...(brokerId !== undefined && { brokerId }) });
      // A business cannot plan routes of a contractor.
      if (!route || (brokerId === undefined && route.broker_id !== null)) throw new ApiError('ROUTE_NOT_FOUND');
      if (route.status === 'closed') throw new ApiError('ROUTE_CLOSED');
      if (route.finished_at !== null) throw new ApiError('ROUTE_FINISHED', { params: { route: id } });
      if (route.schedule_date !== date)
        throw new ApiError('ROUTE_OF_ANOTHER_DAY', { params: { route: id, date: route.schedule_date } });
      if (route.driver_id === null) throw new ApiError('ROUTE_HAS_NO_DRIVER', { params: { route: id } });
      return { ...route, driver_id: route.driver_id };
    }),
  );
  const drivers = found.map(({ driver_id }) => driver_id);
  const duplicate = drivers.find((id, index) => drivers.indexOf(id) < index);
  if (duplicate !== undefined) throw new ApiError('DRIVER_ON_SEVERAL_ROUTES', { params: { driver: duplicate } });
  return found;
}

/** The routes with their orders and completed stops. */
export const loadExistingRoutes = (
  orders: OrderQueries,
  routes: readonly PlannedRoute[],
  business: number,
): Promise<ExistingRoute[]> =>
  Promise.all(
    routes.map(async (route) => {
      const ordersOnRoute = (await orders.list({ offset: 0, limit: PAGE }, { business, routeIds: [route.id] })).orders;
      const known = new Map(ordersOnRoute.map((order) => [order.id, order]));
      const stops = route.planned?.stops ?? [];
      const done = stops.filter(({ order_id, kind }) => {
        const order = order_id === undefined ? undefined : known.get(order_id);
        return order && isStopCompleted(order, kind);
      });
      const last = done.at(-1);
      const order = last && known.get(last.order_id!)!;
      const position = positionOf(last?.kind === 0 ? order?.pickup : order?.delivery);
      return {
        route,
        orders: ordersOnRoute.filter((order) => !isOrderCompleted(order)),
        done,
        underWay: done.length > 0,
        ...(route.planned && last && { spent: completedPartOf(route.planned, done, ordersOnRoute) }),
        ...(last && position && { last: { position, leave: last.leave } }),
      };
    }),
  );

/** Collected goods stay on board until the end; delivered goods leave the vehicle. */
function completedPartOf(
  { start, stops }: NonNullable<PlannedRoute['planned']>,
  done: ExistingRoute['done'],
  on: readonly Order[],
): CompletedPart {
  const driven = stops.slice(0, stops.indexOf(done.at(-1)!) + 1);
  return {
    carried: on.filter(({ type, status }) => type === 'P' && isInHand(status)),
    stops: done.length,
    metres: driven.reduce((sum, { distance_m }) => sum + distance_m, 0),
    began: start,
  };
}

/** Unfinished orders of a route. Locks and the mode of the plan bind them to the driver. */
export function unfinishedOrdersOf(
  { route, orders, underWay }: ExistingRoute,
  { mode, respect_pins, respect_manual }: PlanRequest,
): Omit<OrderOfDay, 'at'>[] {
  const { id: routeId, driver_id: driverId, planned } = route;
  const respected = {
    pins: respect_pins ? route.pins : {},
    // Without this option, orders that users added count as planned.
    planned_orders: respect_manual ? route.planned_orders : orders.map(({ id }) => id),
  };
  const places = new Map(planned?.stops.map(({ order_id, kind }, index) => [`${order_id} ${kind}`, index + 1]));
  const afterPlanned = (planned?.stops.length ?? 0) + 1;
  return orders.map((order, index) => {
    const placeOf = (kind: 0 | 1): number => places.get(`${order.id} ${kind}`) ?? afterPlanned + 2 * index + kind;
    const lock = lockOf(order, respected, underWay);
    return {
      orderId: order.id,
      order,
      routeId,
      inHand: isInHand(order.status),
      place: { pickup: placeOf(0), delivery: placeOf(1) },
      ...(lock && { lock }),
      ...((lock || mode === 'insert') && { driverId }),
      ...((respected.pins[order.id] === 'position' || mode === 'insert') && { ranked: true }),
    };
  });
}
