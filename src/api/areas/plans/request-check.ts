/** Checks that the fields of a plan request fit together. */
import { ApiError, formatError, type FieldError } from '../../core/errors.js';
import { windowErrors } from '../orders/input.js';
import type { PlanRequest } from './request.js';

const misfitAt = (path: string, form: string): FieldError =>
  formatError(path.slice(path.lastIndexOf('/') + 1), form, `/${path}`);

/**
 * Throws INVALID_INPUT if a field is missing, has no effect together with another one, or contradicts it. So no
 * requested field is silently ignored (planning R11).
 */
export function checkRequest(request: PlanRequest): void {
  const { mode, route_ids, driver_ids, fleet_ids, budget, orders = [], order_ids } = request;
  const errors: FieldError[] = [];
  if (mode !== 'build' && !route_ids) errors.push({ field: 'route_ids', path: '/route_ids', code: 'REQUIRED' });
  if (mode === 'build' && route_ids) errors.push(misfitAt('route_ids', 'omitted if `mode` is `build`'));
  if (mode === 'insert' && driver_ids) errors.push(misfitAt('driver_ids', 'omitted if `mode` is `insert`'));
  if (mode === 'insert' && fleet_ids) errors.push(misfitAt('fleet_ids', 'omitted if `mode` is `insert`'));
  if (mode === 'reoptimize' && fleet_ids && !driver_ids)
    errors.push(misfitAt('fleet_ids', 'used only with `driver_ids` if `mode` is `reoptimize`'));
  if (budget.seconds !== undefined && budget.iterations !== undefined)
    errors.push(misfitAt('budget/time_limit_s', 'omitted if `iterations` is given'));
  const known = mode === 'build' && order_ids ? new Set(order_ids) : undefined;
  const seen = new Set<number>();
  orders.forEach(({ order_id, time_windows = [] }, index) => {
    const path = `orders/${index}`;
    if (known && !known.has(order_id)) errors.push(misfitAt(`${path}/order_id`, 'one of `order_ids`'));
    if (seen.has(order_id)) errors.push(misfitAt(`${path}/order_id`, 'unique in the list'));
    seen.add(order_id);
    for (const one of windowErrors(time_windows)) errors.push({ ...one, path: `/${path}${one.path}` });
  });
  if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
}
