/**
 * Events of a route plan. Stream `plan-<id>`. It contains ids of orders, drivers and routes, and no personal data:
 * coordinates are only in an artifact of the job. Times are epoch seconds, distances metres.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { plannedStopSchema } from '../routes/events.js';

export const PLAN_PREFIX = 'plan-';
export const planStream = (id: number): string => `${PLAN_PREFIX}${id}`;

export const PLAN_MODES = ['build', 'insert', 'reoptimize'] as const;
export type PlanMode = (typeof PLAN_MODES)[number];

const userId = z.int().optional();
const reason = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
/** `route_id`: the route on which the order stays; absent: none. */
const left = z.object({ order_id: z.int(), reasons: z.array(reason), route_id: z.int().optional() });
const refused = z.object({ order_id: z.int(), code: z.string() });

const plannedRoute = z.object({
  driver_id: z.int(),
  vehicle_id: z.string().optional(),
  /** The driver's shift; absent: the default shift. */
  shift_id: z.int().optional(),
  /** The fleet of the shift. */
  fleet_id: z.int().optional(),
  /** An existing route; absent: a new one. */
  route_id: z.int().optional(),
  start: z.int(),
  end: z.int(),
  distance_m: z.int(),
  drive_s: z.int(),
  service_s: z.int(),
  wait_s: z.int(),
  break_s: z.int(),
  /** In thousandths of the currency unit. */
  cost: z.int(),
  /** By capacity, in the order of the request's capacities: the maximum load on board, and the limit of the driver. */
  load: z.array(z.object({ used: z.int(), limit: z.int().nullable() })),
  /** Completed stops of a running route. */
  done: z.array(plannedStopSchema).optional(),
  stops: z.array(plannedStopSchema),
});
export type PlannedRoute = z.infer<typeof plannedRoute>;

export const PlanRequested = eventType(
  'PlanRequested',
  z.object({
    plan_id: z.int(),
    business: z.int(),
    /** The contractor that plans; absent: the business. */
    broker_id: userId,
    mode: z.enum(PLAN_MODES),
    /** `YYYY-MM-DD`, in the business's time zone. */
    date: z.string(),
    /** The complete parsed request. */
    options: z.record(z.string(), z.unknown()),
    requested_by: userId,
    job_id: z.string(),
  }),
);

/** Recorded before the search: the orders, resources and parameters of the plan. */
export const PlanProblemFixed = eventType(
  'PlanProblemFixed',
  z.object({
    input_sha256: z.string(),
    matrix_sha256: z.string(),
    /** `<engine>@<version>`. */
    solver: z.string(),
    /** Source of distances and durations. */
    matrix: z.string().optional(),
    seed: z.int(),
    threads: z.int(),
    /**
     * Each order with a hash of its planning data, and its route at that time. The commit requires that both are
     * unchanged.
     */
    orders: z.array(z.object({ order_id: z.int(), facts: z.string(), route_id: z.int().optional() })),
    resources: z.array(
      z.object({
        driver_id: z.int(),
        vehicle_id: z.string().optional(),
        route_id: z.int().optional(),
        shift_id: z.int().optional(),
        fleet_id: z.int().optional(),
      }),
    ),
    excluded: z.array(left),
  }),
);

export const PlanSolved = eventType(
  'PlanSolved',
  z.object({
    solution_sha256: z.string(),
    /** Together with the seed and the problem, the trace reproduces the plan. */
    trace: z.object({
      legs: z.array(z.object({ iterations: z.int(), from: z.number(), to: z.number() })),
      done: z.array(z.array(z.int())),
    }),
    iterations: z.int(),
    milliseconds: z.int(),
    /** The search ended before its time limit. */
    stopped: z.boolean(),
    /** Totals of the previous routes, if there were any. */
    before: z
      .object({
        orders: z.int(),
        routes: z.int(),
        distance_m: z.int(),
        drive_s: z.int(),
        wait_s: z.int(),
        cost: z.int(),
      })
      .optional(),
    routes: z.array(plannedRoute),
    unassigned: z.array(left),
  }),
);

export const PlanFailed = eventType('PlanFailed', z.object({ code: z.string() }));
export const PlanDiscarded = eventType('PlanDiscarded', z.object({ discarded_by: userId }));
/** After this event the commit will be completed, even if a process dies. */
export const PlanCommitStarted = eventType(
  'PlanCommitStarted',
  z.object({
    committed_by: userId,
    /** Handling of rejected orders. */
    on_conflict: z.enum(['skip', 'fail']).optional(),
    /** Indexes of the committed routes of the plan. */
    indexes: z.array(z.int()),
    /** The existing or new route for each of them. */
    route_ids: z.array(z.int()),
    /** Routes of the plan that can no longer be created: each of their orders is rejected with the code. */
    refused_routes: z.array(z.object({ index: z.int(), code: z.string() })).optional(),
  }),
);
export const PlanCommitted = eventType(
  'PlanCommitted',
  z.object({ placed: z.int(), moved: z.int(), refused: z.array(refused), closed_route_ids: z.array(z.int()) }),
);

export const PLAN_EVENTS = [
  PlanRequested,
  PlanProblemFixed,
  PlanSolved,
  PlanFailed,
  PlanDiscarded,
  PlanCommitStarted,
  PlanCommitted,
] as const;
