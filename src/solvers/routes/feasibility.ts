import { isDrivable } from './drivable.js';
import type { Matrix, Order, Problem, Resource, Visit } from './problem.js';

/** Why an order is on no route. */
export type ReasonCode =
  | 'SKILL_MISSING'
  | 'EXCEEDS_CAPACITY'
  | 'WAREHOUSE_MISMATCH'
  | 'UNREACHABLE'
  | 'TOO_MANY_STOPS'
  | 'TOO_FAR'
  | 'OUT_OF_HOURS'
  | 'TOO_LONG'
  | 'OTHER_DRIVER';

/** A reason why a resource cannot do an order. `type` is the index of the exceeded capacity. */
export interface Infeasibility {
  readonly code: ReasonCode;
  readonly type?: number;
}

/** Tests in the order in which they run. The first test that leaves no resource gives the reason. */
const TESTS: readonly ((order: Order, resource: Resource, matrix: Matrix) => Infeasibility | null)[] = [
  (order, resource) =>
    order.skills.every((skill) => resource.skills.includes(skill)) ? null : { code: 'SKILL_MISSING' },
  (order, resource) => {
    const type = order.size.findIndex((size, index) => size > resource.capacity[index]!);
    return type < 0 ? null : { code: 'EXCEEDS_CAPACITY', type };
  },
  (order, resource) => {
    if (order.warehouse === undefined || (order.pickup && order.delivery)) return null;
    return (order.pickup ? resource.end : resource.start) === order.warehouse ? null : { code: 'WAREHOUSE_MISMATCH' };
  },
  (order, { maxStops }) => (visitsOf(order).length > (maxStops ?? Infinity) ? { code: 'TOO_MANY_STOPS' } : null),
  (order, resource, matrix) =>
    waysOf(order, resource, matrix).some((cell) => matrix.duration[cell]! < 0) ? { code: 'UNREACHABLE' } : null,
  (order, resource, matrix) => {
    const metres = waysOf(order, resource, matrix).reduce((sum, cell) => sum + matrix.distance[cell]!, 0);
    return metres > (resource.maxDistance ?? Infinity) ? { code: 'TOO_FAR' } : null;
  },
  (order, resource, matrix) =>
    isDrivable({ ...resource, driveBreak: undefined, maxDuration: undefined }, visitsOf(order), matrix)
      ? null
      : { code: 'OUT_OF_HOURS' },
  (order, resource, matrix) => (isDrivable(resource, visitsOf(order), matrix) ? null : { code: 'TOO_LONG' }),
];

/** Returns why the resource cannot do this order even as its only order; null if it can. */
export function infeasibilityOf(order: Order, resource: Resource, matrix: Matrix): Infeasibility | null {
  for (const test of TESTS) {
    const found = test(order, resource, matrix);
    if (found) return found;
  }
  return null;
}

/**
 * Returns why no resource can do this order even as its only order; null if one can. Resources may fail for different
 * reasons. The result is then the reason of the test at which the last of them fails, because earlier tests exclude
 * only some of them.
 */
export function reasonForAll(problem: Problem, matrix: Matrix, index: number): Infeasibility | null {
  const order = problem.orders[index]!;
  let left = order.resource === undefined ? problem.resources : [problem.resources[order.resource]!];
  for (const test of TESTS) {
    const found = left.map((resource) => test(order, resource, matrix));
    const first = found.find((hindrance) => hindrance !== null);
    left = left.filter((_, place) => found[place] === null);
    if (left.length === 0) return first ?? { code: 'OUT_OF_HOURS' };
  }
  return null;
}

function visitsOf({ pickup, delivery }: Order): Visit[] {
  return [pickup, delivery].filter((visit) => visit !== undefined);
}

/** Matrix cells of a route with only this order. */
function waysOf(order: Order, resource: Resource, matrix: Matrix): number[] {
  const places = [resource.start, ...visitsOf(order).map(({ place }) => place)];
  if (resource.end !== null) places.push(resource.end);
  return places.slice(1).map((place, at) => places[at]! * matrix.size + place);
}
