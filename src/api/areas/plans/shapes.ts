/** Plans in responses. */
import { z } from 'zod';
import { orderErrorSchema } from '../orders/per-order.js';
import { PLAN_MODES } from '../../../events/plans/events.js';
import { PLAN_STATES } from '../../../events/plans/states.js';
import { LOCKS } from '../../../events/routes/events.js';
import { STOP_KINDS } from '../routes/planned.js';
import { RELATIONS } from '../../core/relations.js';

const reasonSchema = z
  .object({
    code: z.string(),
    message: z.string(),
    params: z
      .array(z.object({ name: z.string(), value: z.string() }).meta({ id: 'ReasonParameter' }))
      .describe(
        'For `NO_ROOM`: the reason for each driver (`driver_17`, or `driver_17_shift_3` for a driver with several shifts), and the exceeded capacity (`driver_17_capacity`). Present only for the first 200 unassigned orders.',
      ),
  })
  .meta({ id: 'UnassignedReason' });
export const unassignedSchema = z
  .object({
    order_id: z.int(),
    order_ref: z.string().nullable(),
    route_id: z
      .int()
      .nullable()
      .describe(
        'Route that the order was on before the plan. The order stays on it, because plans never remove orders from routes.',
      ),
    reasons: z.array(reasonSchema),
  })
  .meta({ id: 'UnassignedOrder' })
  .register(RELATIONS, { order: 'order', route: 'route' });

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
        'Start of the arrival window that can be announced to the recipient. The plan sets the window. The window does not change when a user changes the sequence. Tracking does not show it; tracking shows the schedule of the order.',
      ),
    eta_to: z.string().nullable(),
    slack_s: z.int().describe('Seconds by which this stop can be delayed without making a later stop too late.'),
    distance_m: z.int().describe('Distance from the previous stop, in metres.'),
    locked: z
      .enum(LOCKS)
      .nullable()
      .describe(
        'Reason why the stop keeps its driver. `done`: completed. `van`: the driver has the goods. `pin`: pinned by a user. `manual`: added by a user.',
      ),
  })
  .meta({ id: 'PlanStop' })
  .register(RELATIONS, { order: 'order' });

const routeSchema = z
  .object({
    index: z.int(),
    driver_id: z.int(),
    driver_name: z.string().nullable(),
    vehicle_id: z.string().nullable(),
    route_id: z
      .int()
      .nullable()
      .describe('Id of the route. Null until the plan is committed, unless the route existed before.'),
    start_at: z.string(),
    end_at: z.string(),
    distance_m: z.int(),
    drive_s: z.int(),
    service_s: z.int(),
    wait_s: z.int(),
    break_s: z.int(),
    cost: z
      .string()
      .describe(
        'Cost in the currency of the business. If the plan does not minimize cost, the value is not an amount of money.',
      ),
    load_peak: z.array(
      z.object({ type: z.string(), used: z.number(), limit: z.number().nullable() }).meta({ id: 'CapacityLoad' }),
    ),
    stops: z.array(stopSchema),
  })
  .meta({ id: 'PlanRoute' })
  .register(RELATIONS, { driver: 'driver', route: 'route' });

export const planHeadSchema = z
  .object({
    id: z.int(),
    job_id: z.string(),
    mode: z.enum(PLAN_MODES),
    schedule_date: z.string(),
    status: z.enum(PLAN_STATES),
    failure: z.string().nullable().describe('Error code of a failed plan.'),
    requested_by: z.int().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'PlanHead' })
  .register(RELATIONS, { job: 'job' });

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
          .describe('Totals of the routes before the plan. Null: there were no routes.'),
        solver: z
          .object({
            engine: z.string(),
            version: z.string(),
            seed: z.int(),
            iterations: z
              .int()
              .nullable()
              .describe('Requested number of iterations. Null: the search is limited by time.'),
            iterations_done: z.int(),
            threads: z.int(),
            duration_s: z.number(),
            stopped: z.boolean(),
          })
          .meta({ id: 'SolverRun' }),
        matrix: z.string().describe('Source of distances.'),
        input_sha256: z.string(),
        matrix_sha256: z.string(),
        solution_sha256: z.string(),
      })
      .meta({ id: 'RoutePlanSummary' })
      .nullable()
      .describe('Null until the plan is solved.'),
    routes: z.array(routeSchema),
    unassigned: z.array(unassignedSchema).describe('Unassigned orders, each with at least one reason.'),
    commit: z
      .object({ placed: z.int(), moved: z.int(), skipped: z.int(), errors: z.array(orderErrorSchema) })
      .meta({ id: 'RoutePlanCommit' })
      .nullable(),
  })
  .meta({ id: 'RoutePlan' })
  .register(RELATIONS, { job: 'job' });
export type PlanResponse = z.infer<typeof planSchema>;
