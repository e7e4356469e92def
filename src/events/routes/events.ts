/** What happens to a route. Stream `route-<integer id>`. Which orders are on it is an event of each order. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const ROUTE_PREFIX = 'route-';
export const routeStream = (id: number): string => `${ROUTE_PREFIX}${id}`;

export const ROUTE_STATUSES = ['open', 'closed'] as const;
/** `closed`: nothing is planned on it any more; what is on it stays, and goes its way. */
export type RouteStatus = (typeof ROUTE_STATUSES)[number];

const userId = z.int().optional();

export const RouteCreated = eventType(
  'RouteCreated',
  z.object({
    route_id: z.int(),
    business: z.int(),
    /** What the business calls the tour; no place for a person's data. */
    name: z.string(),
    /** `YYYY-MM-DD`, in the business's timezone. */
    schedule_date: z.string(),
    driver_id: userId,
    /** The contractor that planned it; absent: the business itself. */
    broker_id: userId,
    created_by: userId,
  }),
);

/** Absent driver: taken off the route. */
export const RouteDriverAssigned = eventType(
  'RouteDriverAssigned',
  z.object({ driver_id: userId, assigned_by: userId }),
);
export const RouteClosed = eventType('RouteClosed', z.object({ closed_by: userId }));

/** What is to be driven. `kind`: 0 pick-up, 1 delivery, 2 a break, which has no order. Epoch seconds, metres. */
export const plannedStopSchema = z.object({
  order_id: z.int().optional(),
  kind: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  arrive: z.int(),
  start: z.int(),
  leave: z.int(),
  distance_m: z.int(),
  /** Seconds that it may be later without breaking anything behind it. */
  slack_s: z.int(),
});
export type PlannedStop = z.infer<typeof plannedStopSchema>;

/**
 * The order of its stops. What stands in it and is not on the route is passed over; what is on the route and not in it
 * comes last.
 */
export const RoutePlanned = eventType(
  'RoutePlanned',
  z.object({
    /** Absent: by hand. */
    plan_id: z.int().optional(),
    start: z.int(),
    end: z.int(),
    distance_m: z.int(),
    stops: z.array(plannedStopSchema),
    planned_by: userId,
  }),
);

export const ROUTE_EVENTS = [RouteCreated, RouteDriverAssigned, RouteClosed, RoutePlanned] as const;
