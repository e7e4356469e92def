/** Plans as the API shows them. */
import { z } from 'zod';
import { PLAN_MODES } from '../../../events/plans/events.js';
import { PLAN_STATES } from '../../../events/plans/states.js';
import type { PlanHead } from '../../../projections/plans/queries.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import { translate, type Language, type MessageCode } from '../../core/messages/messages.js';
import { STOP_KINDS } from '../routes/planned.js';

const reasonSchema = z.object({
  code: z.string(),
  message: z.string(),
  params: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .describe('Of `NO_ROOM`: for each driver what is in the way.'),
});
const leftSchema = z.object({ order_id: z.int(), reasons: z.array(reasonSchema) }).meta({ id: 'UnassignedOrder' });

const stopSchema = z
  .object({
    seq: z.int(),
    kind: z.enum(STOP_KINDS),
    order_id: z.int().nullable(),
    arrive_at: z.string(),
    start_at: z.string(),
    leave_at: z.string(),
    eta_from: z.string().nullable().describe('The window that the recipient is told.'),
    eta_to: z.string().nullable(),
    slack_s: z.int().describe('Seconds that it may be later without breaking anything behind it.'),
    distance_m: z.int().describe('From the stop before.'),
  })
  .meta({ id: 'PlanStop' });

const routeSchema = z
  .object({
    index: z.int(),
    driver_id: z.int(),
    driver_name: z.string().nullable(),
    vehicle_id: z.string().nullable(),
    route_id: z.int().nullable().describe('Null until it is committed, unless it is an existing one.'),
    start: z.string(),
    end: z.string(),
    distance_m: z.int(),
    drive_s: z.int(),
    service_s: z.int(),
    wait_s: z.int(),
    break_s: z.int(),
    cost: z.string().describe("In the business's currency; where cost is not the aim, no money."),
    load_peak: z.array(z.object({ type: z.string(), used: z.number(), limit: z.number().nullable() })),
    stops: z.array(stopSchema),
  })
  .meta({ id: 'PlanRoute' });

export const planHeadSchema = z
  .object({
    plan_id: z.int(),
    job_id: z.string(),
    mode: z.enum(PLAN_MODES),
    date: z.string(),
    status: z.enum(PLAN_STATES),
    failure: z.string().nullable().describe('Why it failed: a code.'),
    requested_by: z.int().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'PlanHead' });

export const planSchema = z
  .object({
    ...planHeadSchema.shape,
    summary: z
      .object({
        orders: z.int(),
        assigned: z.int(),
        unassigned: z.int(),
        routes: z.int(),
        distance_m: z.int(),
        drive_s: z.int(),
        wait_s: z.int(),
        cost: z.string(),
        solver: z.string(),
        seed: z.int(),
        threads: z.int(),
        iterations: z.int(),
        seconds: z.number(),
        stopped: z.boolean(),
        input_sha256: z.string(),
        matrix_sha256: z.string(),
        solution_sha256: z.string(),
      })
      .nullable()
      .describe('Null until it is solved.'),
    routes: z.array(routeSchema),
    unassigned: z.array(leftSchema).describe('Each with at least one reason.'),
    commit: z
      .object({
        placed: z.int(),
        moved: z.int(),
        skipped: z.int(),
        errors: z.array(z.object({ order_id: z.int(), code: z.string(), message: z.string() })),
      })
      .nullable(),
  })
  .meta({ id: 'RoutePlan' });
export type ShownPlan = z.infer<typeof planSchema>;

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const money = (milli: number): string => (milli / 1_000).toFixed(2);
/** Windows that people are told begin and end at a quarter of an hour. */
const QUARTER = 900;

export const toHead = (plan: PlanHead): z.infer<typeof planHeadSchema> => ({
  plan_id: plan.id,
  job_id: plan.job_id,
  mode: plan.mode,
  date: plan.date,
  status: plan.state,
  failure: plan.failure,
  requested_by: plan.requested_by,
  created_at: plan.created_at,
});

/** `names`: of drivers, by their ids. */
export function toPlan(
  plan: PlanRow,
  names: ReadonlyMap<number, string | undefined>,
  language: Language,
  etaMinutes: number,
): ShownPlan {
  const { solved, problem, outcome, commit } = plan;
  const routes = solved?.routes ?? [];
  const capacities = (plan.options['capacity_types'] ?? []) as string[];
  const perUnit = (type: string): number => (type === 'weight' || type === 'volume' ? 1_000 : 1);
  const sum = (member: 'distance_m' | 'drive_s' | 'wait_s' | 'cost') =>
    routes.reduce((all, route) => all + route[member], 0);
  const left = [...(problem?.excluded ?? []), ...(solved?.unassigned ?? [])];
  const message = (code: string, params?: Readonly<Record<string, string | number>>) =>
    translate(code as MessageCode, params, language);
  const window = Number(plan.options['eta_window_minutes'] ?? etaMinutes) * 60;
  return {
    ...toHead(plan),
    summary:
      solved && problem
        ? {
            orders: problem.orders.length + problem.excluded.length,
            assigned: problem.orders.length - solved.unassigned.length,
            unassigned: left.length,
            routes: routes.length,
            distance_m: sum('distance_m'),
            drive_s: sum('drive_s'),
            wait_s: sum('wait_s'),
            cost: money(sum('cost')),
            solver: problem.solver,
            seed: problem.seed,
            threads: problem.threads,
            iterations: solved.iterations,
            seconds: solved.milliseconds / 1_000,
            stopped: solved.stopped,
            input_sha256: problem.input_sha256,
            matrix_sha256: problem.matrix_sha256,
            solution_sha256: solved.solution_sha256,
          }
        : null,
    routes: routes.map(({ stops, load, cost, start, end, ...route }, index) => ({
      index,
      driver_id: route.driver_id,
      driver_name: names.get(route.driver_id) ?? null,
      vehicle_id: route.vehicle_id ?? null,
      route_id: commit?.route_ids[commit.indexes.indexOf(index)] ?? route.route_id ?? null,
      start: at(start),
      end: at(end),
      distance_m: route.distance_m,
      drive_s: route.drive_s,
      service_s: route.service_s,
      wait_s: route.wait_s,
      break_s: route.break_s,
      cost: money(cost),
      load_peak: load.map(({ used, limit }, type) => ({
        type: capacities[type]!,
        used: used / perUnit(capacities[type]!),
        limit: limit === null ? null : limit / perUnit(capacities[type]!),
      })),
      stops: stops.map(({ kind, order_id, arrive, start: begins, leave, distance_m, slack_s }, seq) => {
        const from = Math.floor(begins / QUARTER) * QUARTER;
        const told = order_id === undefined ? null : from;
        return {
          seq: seq + 1,
          kind: STOP_KINDS[kind],
          order_id: order_id ?? null,
          arrive_at: at(arrive),
          start_at: at(begins),
          leave_at: at(leave),
          eta_from: told === null ? null : at(told),
          eta_to: told === null ? null : at(told + Math.ceil(window / QUARTER) * QUARTER),
          slack_s,
          distance_m,
        };
      }),
    })),
    unassigned: left.map(({ order_id, reasons }) => ({
      order_id,
      reasons: reasons.map(({ code, params = {} }) => ({
        code,
        message: message(code, params),
        params: Object.entries(params).map(([name, value]) => ({ name, value: String(value) })),
      })),
    })),
    commit: outcome && {
      placed: outcome.placed,
      moved: outcome.moved,
      skipped: outcome.refused.length,
      errors: outcome.refused.map(({ order_id, code }) => ({ order_id, code, message: message(code) })),
    },
  };
}
