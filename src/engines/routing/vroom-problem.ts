/** Converts a problem to VROOM's input, and VROOM's output to a solution. */
import { z } from 'zod';
import { EngineFailed } from '../../solvers/routes/engine.js';
import type { Matrix, Order, Problem, Resource, Route, Solution, Visit } from '../../solvers/routes/problem.js';
import { kindsOf, secondsAt, weightsFor } from '../../solvers/routes/vehicle.js';

/**
 * Skill codes in addition to the skills of orders: for a given driver, and for drivers that start or end at a given
 * place.
 */
const THIS_RESOURCE = 2_000_000;
const STARTS_AT = 3_000_000;
const ENDS_AT = 4_000_000;
/** Longer than any shift: marks a missing route. */
const UNREACHABLE_SECONDS = 10_000_000;
/** Maximum cost of a route between two places: VROOM scales costs up and adds them in 64 bits. */
const DEAREST = 1_000_000;
const DEAREST_ROUTE = 1_000_000_000;

export function vroomInput(problem: Problem, matrix: Matrix) {
  const { orders, resources } = problem;
  const kinds = kindsOf(problem);
  const profiles = [...new Set(kinds)];
  const unit = unitOf(problem, matrix);
  const rows = <T>(cell: (at: number) => T): T[][] =>
    Array.from({ length: matrix.size }, (_, row) =>
      Array.from({ length: matrix.size }, (_none, column) => cell(row * matrix.size + column)),
    );
  const limited = resources.some(({ maxDistance }) => maxDistance !== undefined);
  return {
    vehicles: resources.map((resource, id) => {
      const fixed = Math.min(DEAREST_ROUTE, Math.round(weightsFor(problem, resource).perRoute / unit));
      return vehicle(resource, id, fixed, profileName(profiles.indexOf(kinds[id]!)));
    }),
    jobs: orders.flatMap((order, id) => (order.pickup && order.delivery ? [] : [job(order, id)])),
    shipments: orders.flatMap((order, id) => (order.pickup && order.delivery ? [shipment(order, id)] : [])),
    matrices: Object.fromEntries(
      (profiles.length === 0 ? [''] : profiles).map((kind, index) => {
        const { seconds, units } = matrixFor(problem, matrix, resources[kinds.indexOf(kind)]);
        const matrices = {
          durations: rows((at) => (seconds(at) < 0 ? UNREACHABLE_SECONDS : seconds(at))),
          costs: rows((at) => (seconds(at) < 0 ? DEAREST : Math.round(units(at) / unit))),
          ...(limited && { distances: rows((at) => matrix.distance[at]!) }),
        };
        return [profileName(index), matrices];
      }),
    ),
  };
}

/**
 * Vehicles with the same speed and costs share their matrices, so that VROOM's times are exactly those of this service.
 */
const profileName = (index: number): string => (index === 0 ? 'car' : `car_${index + 1}`);

/** Durations and costs between places for a vehicle. */
function matrixFor(problem: Problem, { distance, duration }: Matrix, resource: Resource | undefined) {
  const { perMetre, perSecond } = resource ? weightsFor(problem, resource) : problem.weights;
  const seconds = (at: number): number => secondsAt(resource?.speed, duration[at]!);
  const units = (at: number): number => (seconds(at) < 0 ? 0 : distance[at]! * perMetre + seconds(at) * perSecond);
  return { seconds, units };
}

/** Number of cost units per VROOM cost unit, the same for all vehicles. */
function unitOf(problem: Problem, matrix: Matrix): number {
  const kinds = kindsOf(problem);
  const examples = [...new Set(kinds)].map((kind) => problem.resources[kinds.indexOf(kind)]!);
  let dearest = 1;
  for (const resource of examples) {
    const { units } = matrixFor(problem, matrix, resource);
    for (let at = 0; at < matrix.duration.length; at += 1) dearest = Math.max(dearest, units(at));
  }
  return Math.max(1, dearest / DEAREST);
}

function vehicle(resource: Resource, id: number, fixed: number, profile: string) {
  const { start, end, shift, breaks, capacity, skills, maxDistance, maxStops } = resource;
  return {
    id,
    start_index: start,
    ...(end !== null && { end_index: end }),
    capacity,
    skills: [...skills, THIS_RESOURCE + id, STARTS_AT + start, ...(end === null ? [] : [ENDS_AT + end])],
    time_window: shift,
    breaks: breaks.map(({ duration, earliest, latest }, index) => ({
      id: index,
      service: duration,
      time_windows: [[earliest, latest]],
    })),
    profile,
    costs: { fixed },
    ...(maxStops !== undefined && { max_tasks: maxStops }),
    ...(maxDistance !== undefined && { max_distance: maxDistance }),
  };
}

const visit = ({ place, service, windows }: Visit) => ({ location_index: place, service, time_windows: windows });

function needs({ skills, resource, warehouse, pickup, delivery }: Order): number[] {
  return [
    ...skills,
    ...(resource === undefined ? [] : [THIS_RESOURCE + resource]),
    ...(warehouse === undefined || (pickup && delivery) ? [] : [(pickup ? ENDS_AT : STARTS_AT) + warehouse]),
  ];
}

/** Priorities of VROOM range up to 100, those of orders up to 10. */
const urgency = ({ priority }: Order): number => priority * 10;

const job = (order: Order, id: number) => ({
  id,
  ...visit((order.pickup ?? order.delivery)!),
  [order.pickup ? 'pickup' : 'delivery']: order.size,
  skills: needs(order),
  priority: urgency(order),
});

const shipment = (order: Order, id: number) => ({
  amount: order.size,
  skills: needs(order),
  priority: urgency(order),
  pickup: { id, ...visit(order.pickup!) },
  delivery: { id, ...visit(order.delivery!) },
});

const step = z.object({ type: z.string(), id: z.int().min(0).optional() });
/** The fields of the output that are used. Times are recalculated from the service's own matrix. */
export const vroomOutput = z.object({
  code: z.literal(0),
  routes: z.array(z.object({ vehicle: z.int().min(0), steps: z.array(step) })),
});

/** Throws EngineFailed if the output names an order or a vehicle that the problem does not have. */
export function solutionOf({ routes }: z.infer<typeof vroomOutput>, { orders, resources }: Problem): Solution {
  const found = routes
    .map(({ vehicle, steps }): Route => {
      const stops = steps.flatMap(({ type, id }): Route['stops'][number][] => {
        if (type !== 'job' && type !== 'pickup' && type !== 'delivery') return [];
        const order = id === undefined ? undefined : orders[id];
        const kind = type === 'delivery' || (type === 'job' && !order?.pickup) ? 1 : 0;
        if (!order?.[kind === 0 ? 'pickup' : 'delivery'])
          throw new EngineFailed(`the plan contains the ${type} ${id}, which was not in the request`);
        return [[id!, kind]];
      });
      if (!resources[vehicle])
        throw new EngineFailed(`the plan contains the vehicle ${vehicle}, which was not in the request`);
      return { resource: vehicle, stops };
    })
    .filter(({ stops }) => stops.length > 0)
    .sort((one, other) => one.resource - other.resource);
  const on = new Set(found.flatMap(({ stops }) => stops.map(([order]) => order)));
  return { routes: found, unassigned: [...orders.keys()].filter((order) => !on.has(order)) };
}
