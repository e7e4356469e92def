/** Statuses of orders, as conditions of the board name them. */
import { sql } from 'kysely';
import { ORDER_STATUSES, type OrderStatus } from '../../../events/orders/status.js';

/** As SQL behind `in`. */
export const listed = (statuses: readonly string[]) => sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`;

export const FAILED: readonly OrderStatus[] = ['PICKUP_FAILED', 'DELIVERY_FAILED'];
/** Waits for dispatch, and nothing failed. */
export const WAITING_STATUSES = listed(
  ORDER_STATUSES.filter(({ status, dispatchable }) => dispatchable && !FAILED.includes(status)).map(
    ({ status }) => status,
  ),
);
