/** Plans in responses. */
import { z } from 'zod';
import { orderErrorSchema } from '../orders/per-order.js';
import { PLAN_MODES } from '../../../events/plans/events.js';
import { PLAN_STATES } from '../../../events/plans/states.js';
import { LOCKS } from '../../../events/routes/events.js';
import { STOP_KINDS } from '../routes/planned.js';

const reasonSchema = z
  .object({
    code: z.string(),
    message: z.string(),
    params: z
      .array(z.object({ name: z.string(), value: z.string() }).meta({ id: 'ReasonParameter' }))
      .describe(
        'Of `NO_ROOM`: what is in the way of each driver (`driver_17`, of several shifts `driver_17_shift_3`), and of which capacity (`driver_17_capacity`); for the first 200 orders that are left over.',
      ),
  })
  .meta({ id: 'UnassignedReason' });
const leftSchema = z
  .object({
    order_id: z.int(),
    order_ref: z.string().nullable(),
    route_id: z
      .int()
      .nullable()
      .describe('The route that it was on, and stays on: a plan takes no order off by itself.'),
    reasons: z.array(reasonSchema),
  })
  .meta({ id: 'UnassignedOrder' });

const stopSchema = z
  .object({
    seq: z.int(),
    kind: z.enum(STOP_KINDS),
    order_id: z.int().nullable(),
    tracking_numbers: z.array(z.string()),
    arrive_at: z.string(),
    start_at: z.string(),
    leave_at: z.string(),
    eta_from: z
      .string()
      .nullable()
      .describe(
        "The window to announce: fixed with the plan, and kept where a person says another sequence. Tracking tells the order's own schedule.",
      ),
    eta_to: z.string().nullable(),
    slack_s: z.int().describe('Seconds that it may be later without breaking anything behind it.'),
    distance_m: z.int().describe('From the stop before.'),
    locked: z
      .enum(LOCKS)
      .nullable()
      .describe(
        'Why it stays with its driver: it is over, its goods are in the van, somebody pinned it, or put it there by hand.',
      ),
  })
  .meta({ id: 'PlanStop' });

const routeSchema = z
  .object({
    index: z.int(),
    driver_id: z.int(),
    driver_name: z.string().nullable(),
    vehicle_id: z.string().nullable(),
    route_id: z.int().nullable().describe('Null until it is committed, unless it is an existing one.'),
    start_at: z.string(),
    end_at: z.string(),
    distance_m: z.int(),
    drive_s: z.int(),
    service_s: z.int(),
    wait_s: z.int(),
    break_s: z.int(),
    cost: z.string().describe("In the business's currency; where cost is not the aim, no money."),
    load_peak: z.array(
      z.object({ type: z.string(), used: z.number(), limit: z.number().nullable() }).meta({ id: 'CapacityLoad' }),
    ),
    stops: z.array(stopSchema),
  })
  .meta({ id: 'PlanRoute' });

export const planHeadSchema = z
  .object({
    id: z.int(),
    job_id: z.string(),
    mode: z.enum(PLAN_MODES),
    schedule_date: z.string(),
    status: z.enum(PLAN_STATES),
    failure: z.string().nullable().describe('Why it failed: a code.'),
    requested_by: z.int().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'PlanHead' });

const sums = {
  order_count: z.int(),
  assigned_count: z.int(),
  unassigned_count: z.int(),
  route_count: z.int(),
  distance_m: z.int(),
  drive_s: z.int(),
  wait_s: z.int(),
  cost: z.string(),
};

export const planSchema = z
  .object({
    ...planHeadSchema.shape,
    summary: z
      .object({
        ...sums,
        before: z
          .object(sums)
          .meta({ id: 'RoutePlanTotals' })
          .nullable()
          .describe('Of the routes as they stood; null: there were none.'),
        solver: z
          .object({
            engine: z.string(),
            version: z.string(),
            seed: z.int(),
            iterations: z.int().nullable().describe('As asked for; null: by the clock.'),
            iterations_done: z.int(),
            threads: z.int(),
            duration_s: z.number(),
            stopped: z.boolean(),
          })
          .meta({ id: 'SolverRun' }),
        matrix: z.string().describe('Where the ways come from.'),
        input_sha256: z.string(),
        matrix_sha256: z.string(),
        solution_sha256: z.string(),
      })
      .meta({ id: 'RoutePlanSummary' })
      .nullable()
      .describe('Null until it is solved.'),
    routes: z.array(routeSchema),
    unassigned: z.array(leftSchema).describe('Each with at least one reason.'),
    commit: z
      .object({ placed: z.int(), moved: z.int(), skipped: z.int(), errors: z.array(orderErrorSchema) })
      .meta({ id: 'RoutePlanCommit' })
      .nullable(),
  })
  .meta({ id: 'RoutePlan' });
export type ShownPlan = z.infer<typeof planSchema>;
