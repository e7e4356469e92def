/** Converts a stored plan to the response of the API. */
import type { z } from 'zod';
import type { PlannedRoute } from '../../../events/plans/events.js';
import type { PlannedStop } from '../../../events/routes/events.js';
import type { PlanHead } from '../../../projections/plans/queries.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import { translate, type Language, type MessageCode } from '../../core/messages/messages.js';
import { STOP_KINDS } from '../routes/planned.js';
import { inOrder, perUnitOf } from './capacities.js';
import type { planHeadSchema, PlanResponse } from './shapes.js';

/** Names of the drivers and orders of a plan. */
export interface PlanNames {
  readonly drivers: ReadonlyMap<number, string | undefined>;
  readonly orders: ReadonlyMap<number, { readonly order_ref: string | null; readonly tracking_numbers: string[] }>;
}

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const money = (milli: number): string => (milli / 1_000).toFixed(2);

export const toHead = (plan: PlanHead): z.infer<typeof planHeadSchema> => ({
  id: plan.id,
  job_id: plan.job_id,
  mode: plan.mode,
  schedule_date: plan.date,
  status: plan.state,
  failure: plan.failure,
  requested_by: plan.requested_by,
  created_at: plan.created_at,
});

export function toPlan(plan: PlanRow, names: PlanNames, language: Language): PlanResponse {
  const { solved, problem, outcome, commit } = plan;
  const message = (code: string, params?: Readonly<Record<string, string | number>>) =>
    translate(code as MessageCode, params, language);
  // A plan never removes orders from routes: unassigned orders stay on their previous route.
  const previousRouteIds = new Map(problem?.orders.map(({ order_id, route_id }) => [order_id, route_id]));
  const unassignedOrders = [...(problem?.excluded ?? []), ...(solved?.unassigned ?? [])];
  return {
    ...toHead(plan),
    summary: summaryOf(plan),
    routes: (solved?.routes ?? []).map((route, index) => ({
      index,
      route_id: commit?.route_ids[commit.indexes.indexOf(index)] ?? route.route_id ?? null,
      ...toPlanRoute(route, inOrder((plan.options['capacity_types'] ?? []) as string[]), names),
    })),
    unassigned: unassignedOrders.map(({ order_id, reasons, route_id }) => ({
      order_id,
      route_id: route_id ?? previousRouteIds.get(order_id) ?? null,
      order_ref: names.orders.get(order_id)?.order_ref ?? null,
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

const countFields = (orders: number, assigned: number, routes: number) => ({
  order_count: orders,
  assigned_count: assigned,
  unassigned_count: orders - assigned,
  route_count: routes,
});

function summaryOf({ solved, problem, options }: PlanRow): PlanResponse['summary'] {
  if (!solved || !problem) return null;
  const sum = (member: 'distance_m' | 'drive_s' | 'wait_s' | 'cost') =>
    solved.routes.reduce((all, route) => all + route[member], 0);
  const orders = problem.orders.length + problem.excluded.length;
  const [engine, version] = problem.solver.split('@') as [string, string];
  const { iterations = null } = (options['budget'] ?? {}) as { iterations?: number };
  const assigned = problem.orders.length - solved.unassigned.length;
  const { before } = solved;
  return {
    ...countFields(orders, assigned, solved.routes.length),
    distance_m: sum('distance_m'),
    drive_s: sum('drive_s'),
    wait_s: sum('wait_s'),
    cost: money(sum('cost')),
    before: before
      ? {
          ...countFields(orders, before.orders, before.routes),
          distance_m: before.distance_m,
          drive_s: before.drive_s,
          wait_s: before.wait_s,
          cost: money(before.cost),
        }
      : null,
    solver: {
      engine,
      version,
      seed: problem.seed,
      iterations,
      iterations_done: solved.iterations,
      threads: problem.threads,
      duration_s: solved.milliseconds / 1_000,
      stopped: solved.stopped,
    },
    matrix: problem.matrix ?? 'haversine',
    input_sha256: problem.input_sha256,
    matrix_sha256: problem.matrix_sha256,
    solution_sha256: solved.solution_sha256,
  };
}

function toPlanRoute(
  { stops, done = [], load, cost, start, end, ...route }: PlannedRoute,
  capacities: readonly string[],
  names: PlanNames,
): Omit<PlanResponse['routes'][number], 'index' | 'route_id'> {
  return {
    driver_id: route.driver_id,
    driver_name: names.drivers.get(route.driver_id) ?? null,
    vehicle_id: route.vehicle_id ?? null,
    start_at: at(start),
    end_at: at(end),
    distance_m: route.distance_m,
    drive_s: route.drive_s,
    service_s: route.service_s,
    wait_s: route.wait_s,
    break_s: route.break_s,
    cost: money(cost),
    load_peak: load.map(({ used, limit }, type) => ({
      type: capacities[type]!,
      used: used / perUnitOf(capacities[type]!),
      limit: limit === null ? null : limit / perUnitOf(capacities[type]!),
    })),
    stops: [...done.map((stop) => ({ ...stop, locked: 'done' as const })), ...stops].map((stop, index) =>
      toPlanStop(stop, index + 1, names),
    ),
  };
}

/** A stop in responses of plans and routes. */
export const toPlanStop = (stop: PlannedStop, seq: number, { orders }: Pick<PlanNames, 'orders'>) => ({
  seq,
  kind: STOP_KINDS[stop.kind],
  order_id: stop.order_id ?? null,
  tracking_numbers: (stop.order_id !== undefined && orders.get(stop.order_id)?.tracking_numbers) || [],
  arrive_at: at(stop.arrive),
  start_at: at(stop.start),
  leave_at: at(stop.leave),
  eta_from: stop.eta_from === undefined ? null : at(stop.eta_from),
  eta_to: stop.eta_to === undefined ? null : at(stop.eta_to),
  slack_s: stop.slack_s,
  distance_m: stop.distance_m,
  locked: stop.locked ?? null,
});
