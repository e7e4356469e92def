/**
 * Converts a solution to the form of the plan's events: orders, drivers and routes by their ids, times in epoch
 * seconds.
 */
import type { z } from 'zod';
import type { PlannedRoute, PlanSolved } from '../../../events/plans/events.js';
import type { Explanation, Reason } from '../../../solvers/routes/explain.js';
import type { Plan } from '../../../solvers/routes/plan.js';
import type { Matrix, Visit } from '../../../solvers/routes/problem.js';
import { NO_LIMIT } from './capacities.js';
import { lenientPlan } from './lenient-plan.js';
import { UNITS_PER_MILLI } from '../../../solvers/routes/weights.js';
import type { PlanProblem } from './problem.js';

/**
 * For this many unassigned orders, the reasons are determined per driver; additional orders are reported as having no
 * room.
 */
const MAX_EXPLAINED = 200;

const KINDS = { pickup: 0, delivery: 1, break: 2 } as const;

/** The routes of a plan. Costs are whole thousandths of the currency if the plan minimizes cost. */
export function routesOf(planProblem: PlanProblem, plan: Plan): PlannedRoute[] {
  const { problem, origin, orders, resources, locks, done } = planProblem;
  return plan.routes.map((route) => ({
    ...resources[route.resource]!,
    start: origin + route.start,
    end: origin + route.end,
    distance_m: route.distance,
    drive_s: route.drive,
    service_s: route.service,
    wait_s: route.wait,
    break_s: route.pause,
    cost: Math.round(route.cost / UNITS_PER_MILLI),
    load: loadsOf(planProblem, route),
    done: [...done[route.resource]!],
    stops: route.stops.map(({ kind, order, arrive, start, leave, distance, slack }) => ({
      ...(order !== null && { order_id: orders[order]! }),
      kind: KINDS[kind],
      arrive: origin + arrive,
      start: origin + start,
      leave: origin + leave,
      distance_m: distance,
      slack_s: Math.max(0, Math.min(slack, 86_400)),
      ...(order !== null && kind !== 'break' && etaOf(planProblem, problem.orders[order]![kind]!, start)),
      ...(order !== null && locks[order] && { locked: locks[order] }),
    })),
  }));
}

/** Announced windows begin and end at a quarter of an hour, in every timezone. */
const QUARTER_HOUR_S = 900;

/**
 * The announced window begins with the stop, has the length that the business set, and stays inside the order's own
 * window.
 */
export function etaOf(
  { origin, etaSeconds }: Pick<PlanProblem, 'origin' | 'etaSeconds'>,
  { windows }: Visit,
  start: number,
) {
  const [from, to] = windows.find(([opens, closes]) => opens <= start && start <= closes) ?? [-Infinity, Infinity];
  const begins = Math.floor((origin + start) / QUARTER_HOUR_S) * QUARTER_HOUR_S;
  const ends = Math.ceil((origin + start + etaSeconds) / QUARTER_HOUR_S) * QUARTER_HOUR_S;
  return { eta_from: Math.max(begins, origin + from), eta_to: Math.min(ends, origin + to) };
}

/** Totals of the previous routes, by the same distances. */
export function previousTotals(
  { problem, before }: PlanProblem,
  matrix: Matrix,
): z.infer<typeof PlanSolved.schema>['before'] {
  const previousPlan = before.length > 0 && lenientPlan(problem, matrix, before);
  if (!previousPlan) return undefined;
  const { routes, cost } = previousPlan;
  const sum = (member: 'distance' | 'drive' | 'wait') => routes.reduce((all, route) => all + route[member], 0);
  return {
    orders: new Set(before.flatMap(({ stops }) => stops.map(([order]) => order))).size,
    routes: before.length,
    distance_m: sum('distance'),
    drive_s: sum('drive'),
    wait_s: sum('wait'),
    cost: Math.round(cost / UNITS_PER_MILLI),
  };
}

/** The highest load on board at any time, and the limit. */
function loadsOf({ problem, spent }: PlanProblem, { resource, stops }: Plan['routes'][number]): PlannedRoute['load'] {
  const before = spent?.find((one) => one.resource === resource);
  const limits = before?.capacity ?? problem.resources[resource]!.capacity;
  return limits.map((limit, type) => {
    const size = (order: number): number => problem.orders[order]!.size[type]!;
    const visited = stops.flatMap(({ order, kind }) => (order === null ? [] : [{ order, kind }]));
    // Deliveries that were not collected on the way are on board from the start.
    let load = visited
      .filter(({ order, kind }) => kind === 'delivery' && !problem.orders[order]!.pickup)
      .reduce((sum, { order }) => sum + size(order), before?.carried[type] ?? 0);
    let used = load;
    for (const { order, kind } of visited) {
      load += kind === 'pickup' ? size(order) : -size(order);
      used = Math.max(used, load);
    }
    return { used, limit: limit >= NO_LIMIT ? null : limit };
  });
}

type UnassignedOrder = z.infer<typeof PlanSolved.schema>['unassigned'][number];

/** The reasons of unassigned orders. */
export function unassignedOf(
  { orders, capacities, resources }: PlanProblem,
  unassigned: readonly number[],
  explanation: Explanation,
): UnassignedOrder[] {
  return unassigned.map((order, index) => {
    const reasons = index < MAX_EXPLAINED ? explanation.reasons(order) : explanation.reasons(order, false);
    return {
      order_id: orders[order]!,
      reasons: reasons.map((reason) => toStoredReason(reason, capacities, resources)),
    };
  });
}

/** The reason as the API names it: in the API, TOO_LONG refers to texts. */
export const reasonCode = (code: string): string => (code === 'TOO_LONG' ? 'TRIP_TOO_LONG' : code);

function toStoredReason(
  { code, type, ways: options }: Reason,
  capacities: PlanProblem['capacities'],
  resources: PlanProblem['resources'],
): UnassignedOrder['reasons'][number] {
  const params: Record<string, string | number> = {};
  if (type !== undefined) params['type'] = capacities[type]!;
  // The reason per driver: `driver_17: OUT_OF_HOURS`; for several shifts of a driver `driver_17_shift_3`.
  for (const option of options ?? [])
    if ('code' in option) {
      const { driver_id, shift_id } = resources[option.resource]!;
      const isOne = resources.filter((one) => one.driver_id === driver_id).length === 1;
      const name = isOne ? `driver_${driver_id}` : `driver_${driver_id}_shift_${shift_id ?? 0}`;
      params[name] = reasonCode(option.code);
      if (option.type !== undefined) params[`${name}_capacity`] = capacities[option.type]!;
    }
  return { code: reasonCode(code), ...(Object.keys(params).length > 0 && { params }) };
}
