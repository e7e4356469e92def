/** What happens to a route. Stream `route-<integer id>`. Which orders are on it is an event of each order. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const ROUTE_PREFIX = 'route-';
export const routeStream = (id: number): string => `${ROUTE_PREFIX}${id}`;

export const ROUTE_STATUSES = ['open', 'closed'] as const;
/** `closed`: nothing is planned on it any more; what is on it stays, and goes its way. */
export type RouteStatus = (typeof ROUTE_STATUSES)[number];

const userId = z.int().optional();

/** `instant`: made as a rider goes; orders come onto it one by one. */
export const ROUTE_KINDS = ['tour', 'instant'] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

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
    /** Absent: a tour. */
    kind: z.enum(ROUTE_KINDS).optional(),
    /** Of the shift that it was planned for: in which vehicle it is driven, and for which fleet. */
    vehicle_id: z.string().optional(),
    fleet_id: z.int().optional(),
  }),
);

/** Absent driver: taken off the route. */
export const RouteDriverAssigned = eventType(
  'RouteDriverAssigned',
  z.object({ driver_id: userId, assigned_by: userId }),
);
export const RouteClosed = eventType('RouteClosed', z.object({ closed_by: userId }));

/** Why a stop is where it is, and not only by what is cheapest. */
export const LOCKS = ['done', 'van', 'pin', 'manual'] as const;
export type Lock = (typeof LOCKS)[number];

/** What is to be driven. `kind`: 0 pick-up, 1 delivery, 2 a break, which has no order. Epoch seconds, metres. */
export const plannedStopSchema = z.object({
  order_id: z.int().optional(),
  kind: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  arrive: z.int(),
  start: z.int(),
  leave: z.int(),
  distance_m: z.int(),
  /** Seconds that it may be later without breaking anything after it. */
  slack_s: z.int(),
  /** The window to announce to the recipient: fixed with the plan (planning R10). */
  eta_from: z.int().optional(),
  eta_to: z.int().optional(),
  /**
   * `done`: it is over. `van`: its goods are in the driver's hands. `pin`: somebody said so. `manual`: put on the route
   * by a person.
   */
  locked: z.enum(LOCKS).optional(),
});
export type PlannedStop = z.infer<typeof plannedStopSchema>;

/**
 * The order of its stops. Stops in it that are not on the route are skipped; what is on the route and not in it
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
    /** In which vehicle, where the plan knows it. */
    vehicle_id: z.string().optional(),
    planned_by: userId,
  }),
);

export const PINS = ['driver', 'position'] as const;
/** `driver`: plans leave the order with the route's driver. `position`: and its place among the pinned, too. */
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
