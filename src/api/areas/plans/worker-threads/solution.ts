/** Converts the routes in the event of a plan back to the solution of the solver. */
import type { PlannedRoute } from '../../../../events/plans/events.js';
import type { Solution } from '../../../../solvers/routes/problem.js';
import type { PlanProblem } from '../problem.js';

export function solutionOf(plannedRoutes: readonly PlannedRoute[], { orders, resources }: PlanProblem): Solution {
  const order = new Map(orders.map((id, index) => [id, index]));
  const key = ({ driver_id, shift_id = 0 }: { readonly driver_id: number; readonly shift_id?: number }): string =>
    `${driver_id} ${shift_id}`;
  const resource = new Map(resources.map((one, index) => [key(one), index]));
  const routes = plannedRoutes.map(({ stops, ...resourceKey }) => ({
    resource: resource.get(key(resourceKey))!,
    stops: stops.flatMap(({ order_id, kind }) =>
      order_id === undefined || kind === 2 ? [] : [[order.get(order_id)!, kind] as const],
    ),
  }));
  const assigned = new Set(routes.flatMap(({ stops }) => stops.map(([index]) => index)));
  return { routes, unassigned: [...orders.keys()].filter((index) => !assigned.has(index)) };
}

/** The solution with one order removed from its route. */
export const withoutOrder = ({ routes, unassigned }: Solution, order: number): Solution => ({
  routes: routes
    .map((route) => ({ ...route, stops: route.stops.filter(([index]) => index !== order) }))
    .filter(({ stops }) => stops.length > 0),
  unassigned: [...new Set([...unassigned, order])].sort((one, other) => one - other),
});
