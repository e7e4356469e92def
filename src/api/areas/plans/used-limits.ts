/** Used limits of a route that is under way: the rest of the route is planned with the remaining limits. */
import type { Plan } from '../../../solvers/routes/plan.js';
import type { Problem } from '../../../solvers/routes/problem.js';
import { isStandard, NO_LIMIT, customUnits, type CapacityId } from './capacities.js';
import { sizesOf, type CompletedPart } from './planning-data.js';
import type { PlanRequest } from './request.js';

/** The full limits of a route, and the used parts. Seconds after the origin of the problem, metres, units. */
export interface UsedLimits {
  readonly resource: number;
  /** By capacity. */
  readonly capacity: readonly number[];
  readonly carried: readonly number[];
  readonly stops: number;
  readonly metres: number;
  readonly began: number;
  readonly maxStops?: number;
  readonly maxDistance?: number;
  readonly maxDuration?: number;
}

/** Units of goods that stay on board, by capacity. */
export const carriedOf = ({ carried }: CompletedPart, capacities: readonly CapacityId[]): number[] =>
  capacities.map((id) =>
    carried.reduce(
      (sum, order) =>
        sum + (isStandard(id) ? sizesOf(order)[id] : (customUnits(id, order.planning?.custom_sizes) ?? 0)),
      0,
    ),
  );

/** The rest of a limit; unlimited stays unlimited. */
export const remainingOf = (limit: number, used: number): number =>
  limit >= NO_LIMIT ? limit : Math.max(0, limit - used);

export function usedLimitsOf(
  resource: number,
  spent: CompletedPart,
  {
    request: { max_stops, max_route_km, max_route_minutes },
    capacities,
    capacity,
    origin,
  }: {
    readonly request: PlanRequest;
    readonly capacities: readonly CapacityId[];
    readonly capacity: readonly number[];
    readonly origin: number;
  },
): UsedLimits {
  return {
    resource,
    capacity,
    carried: carriedOf(spent, capacities),
    stops: spent.stops,
    metres: spent.metres,
    began: spent.began - origin,
    ...(max_stops !== undefined && { maxStops: max_stops }),
    ...(max_route_km !== undefined && { maxDistance: Math.round(max_route_km * 1_000) }),
    ...(max_route_minutes !== undefined && { maxDuration: max_route_minutes * 60 }),
  };
}

/**
 * Whether a plan exceeds a limit of a route, including the part that is already driven. It sums the whole route,
 * independent of the reduced limits in the problem. A limit that was exceeded before the plan does not count.
 */
export function exceedsLimits(problem: Problem, spent: readonly UsedLimits[], { routes }: Plan): boolean {
  return spent.some((fullLimits) => {
    const route = routes.find(({ resource }) => resource === fullLimits.resource);
    if (!route) return false;
    const visits = route.stops.flatMap(({ kind, order }) => (order === null ? [] : [{ kind, order }]));
    const isExceeded = (used: number, before: number, limit: number | undefined): boolean =>
      limit !== undefined && used > 0 && before + used > Math.max(limit, before);
    const begins = problem.resources[fullLimits.resource]!.shift[0];
    return (
      isExceeded(visits.length, fullLimits.stops, fullLimits.maxStops) ||
      isExceeded(route.distance, fullLimits.metres, fullLimits.maxDistance) ||
      (fullLimits.maxDuration !== undefined &&
        route.end > Math.max(fullLimits.began + fullLimits.maxDuration, begins)) ||
      fullLimits.capacity.some((limit, type) => {
        if (limit >= NO_LIMIT) return false;
        const size = (order: number): number => problem.orders[order]!.size[type]!;
        const before = fullLimits.carried[type]!;
        let load = visits.reduce((sum, { order }) => sum + (problem.orders[order]!.pickup ? 0 : size(order)), 0);
        if (isExceeded(load, before, limit)) return true;
        return visits.some(({ kind, order }) => {
          load += kind === 'pickup' ? size(order) : -size(order);
          return isExceeded(load, before, limit);
        });
      })
    );
  });
}
