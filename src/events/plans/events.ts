/**
 * What happens to a plan of routes. Stream `plan-<id>`. It knows orders, drivers and routes by their ids, and no
 * person: coordinates are in an artifact of the job alone. Times are epoch seconds, distances metres.
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
/** `route_id`: where it stays; absent: it is on none. */
const left = z.object({ order_id: z.int(), reasons: z.array(reason), route_id: z.int().optional() });
const refused = z.object({ order_id: z.int(), code: z.string() });

const plannedRoute = z.object({
  driver_id: z.int(),
  vehicle_id: z.string().optional(),
  /** The driver's shift; absent: the usual one. */
  shift_id: z.int().optional(),
  /** The fleet whose shift it is. */
  fleet_id: z.int().optional(),
  /** A route that is there already; absent: a new one. */
  route_id: z.int().optional(),
  start: z.int(),
  end: z.int(),
  distance_m: z.int(),
  drive_s: z.int(),
  service_s: z.int(),
  wait_s: z.int(),
  break_s: z.int(),
  /** Thousandths of the currency. */
  cost: z.int(),
  /** By capacity, in the order of the request's: the most that is on board at once, and what the driver takes. */
  load: z.array(z.object({ used: z.int(), limit: z.int().nullable() })),
  /** Of a route that is under way: what is over. */
  done: z.array(plannedStopSchema).optional(),
  stops: z.array(plannedStopSchema),
});
export type PlannedRoute = z.infer<typeof plannedRoute>;

export const PlanRequested = eventType(
  'PlanRequested',
  z.object({
    plan_id: z.int(),
    business: z.int(),
    /** The contractor that plans; absent: the business itself. */
    broker_id: userId,
    mode: z.enum(PLAN_MODES),
    /** `YYYY-MM-DD`, in the business's timezone. */
    date: z.string(),
    /** The whole request, as it was understood. */
    options: z.record(z.string(), z.unknown()),
    requested_by: userId,
    job_id: z.string(),
  }),
);

/** Before the search: what is planned with what. */
export const PlanProblemFixed = eventType(
  'PlanProblemFixed',
  z.object({
    input_sha256: z.string(),
    matrix_sha256: z.string(),
    /** `<engine>@<version>`. */
    solver: z.string(),
    /** Where the ways come from. */
    matrix: z.string().optional(),
    seed: z.int(),
    threads: z.int(),
    /** Each with a fingerprint of what was planned, and the route it was on: at the commit it must still be so. */
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
    /** With it, the seed and the problem the same plan is found again. */
    trace: z.object({
      legs: z.array(z.object({ iterations: z.int(), from: z.number(), to: z.number() })),
      done: z.array(z.array(z.int())),
    }),
    iterations: z.int(),
    milliseconds: z.int(),
    /** Ended before its budget was used. */
    stopped: z.boolean(),
    /** Of the previous routes, where there were any. */
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
/** From here on it is committed, even if a process dies. */
export const PlanCommitStarted = eventType(
  'PlanCommitStarted',
  z.object({
    committed_by: userId,
    /** What was to be done with an order that is refused. */
    on_conflict: z.enum(['skip', 'fail']).optional(),
    /** Which of its routes. */
    indexes: z.array(z.int()),
    /** For each of them the route that takes it. */
    route_ids: z.array(z.int()),
    /** Routes of it that cannot be made any more: each of their orders is refused with the code. */
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
