/** Events of a route. Stream `route-<integer id>`. The orders on a route are recorded as events of each order. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const ROUTE_PREFIX = 'route-';
export const routeStream = (id: number): string => `${ROUTE_PREFIX}${id}`;
/** Key subject of the route's name. */
export const routeSubject = routeStream;

export const ROUTE_STATUSES = ['open', 'closed'] as const;
/** `closed`: no orders can be added. Orders on the route stay and are delivered. */
export type RouteStatus = (typeof ROUTE_STATUSES)[number];

const userId = z.int().optional();

/** `instant`: a route without a plan, to which a rider's orders are added one by one. */
export const ROUTE_KINDS = ['tour', 'instant'] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

export const RouteCreated = eventType(
  'RouteCreated',
  z.object({
    route_id: z.int(),
    business: z.int(),
    /** Tours are often named after their drivers or recipients. Absent: erased. */
    name: personal(z.string()),
    /** `YYYY-MM-DD`, in the business's time zone. */
    schedule_date: z.string(),
    driver_id: userId,
    /** The contractor that planned it; absent: the business. */
    broker_id: userId,
    created_by: userId,
    /** Absent: a tour. */
    kind: z.enum(ROUTE_KINDS).optional(),
    /** Vehicle and fleet of the shift for which it was planned. */
    vehicle_id: z.string().optional(),
    fleet_id: z.int().optional(),
  }),
  // The name of version 1 is plaintext.
  { version: 2, upcast: { 1: (data) => data } },
);

/** Absent driver: the driver was removed from the route. */
export const RouteDriverAssigned = eventType(
  'RouteDriverAssigned',
  z.object({ driver_id: userId, assigned_by: userId }),
);
export const RouteClosed = eventType('RouteClosed', z.object({ closed_by: userId }));

/** Reasons why the position of a stop is fixed, other than cost. */
export const LOCKS = ['done', 'van', 'pin', 'manual'] as const;
export type Lock = (typeof LOCKS)[number];

/** A planned stop. `kind`: 0 pickup, 1 delivery, 2 break (without an order). Epoch seconds and metres. */
export const plannedStopSchema = z.object({
  order_id: z.int().optional(),
  kind: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  arrive: z.int(),
  start: z.int(),
  leave: z.int(),
  distance_m: z.int(),
  /** Seconds by which it may be delayed without violating a later stop. */
  slack_s: z.int(),
  /** Delivery window to announce to the recipient, fixed with the plan (planning R10). */
  eta_from: z.int().optional(),
  eta_to: z.int().optional(),
  /**
   * `done`: completed. `van`: the driver has the goods. `pin`: pinned by a user. `manual`: put on the route by a user.
   */
  locked: z.enum(LOCKS).optional(),
});
export type PlannedStop = z.infer<typeof plannedStopSchema>;

/**
 * The order of the route's stops. Orders in it that are not on the route are skipped. Orders on the route that are not
 * in it come last.
 */
export const RoutePlanned = eventType(
  'RoutePlanned',
  z.object({
    /** Absent: sorted manually. */
    plan_id: z.int().optional(),
    start: z.int(),
    end: z.int(),
    distance_m: z.int(),
    stops: z.array(plannedStopSchema),
    /** The vehicle, if the plan has one. */
    vehicle_id: z.string().optional(),
    planned_by: userId,
  }),
);

export const PINS = ['driver', 'position'] as const;
/**
 * `driver`: plans keep the order on the route's driver. `position`: plans also keep its position among the pinned
 * orders.
 */
export type Pin = (typeof PINS)[number];

export const RouteStopsPinned = eventType(
  'RouteStopsPinned',
  z.object({ order_ids: z.array(z.int()), pin: z.enum(PINS), pinned_by: userId }),
);
export const RouteStopsUnpinned = eventType(
  'RouteStopsUnpinned',
  z.object({ order_ids: z.array(z.int()), unpinned_by: userId }),
);

export const ROUTE_EVENTS = [
  RouteCreated,
  RouteDriverAssigned,
  RouteClosed,
  RoutePlanned,
  RouteStopsPinned,
  RouteStopsUnpinned,
] as const;
