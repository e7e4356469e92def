/** Order statuses for the conditions of the board. */
import { sql } from 'kysely';
import { ORDER_STATUSES, type OrderStatus } from '../../../events/orders/status.js';

/** An SQL list for `in`. */
export const listed = (statuses: readonly string[]) => sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`;

export const FAILED: readonly OrderStatus[] = ['PICKUP_FAILED', 'DELIVERY_FAILED'];
/** Statuses of orders that wait for dispatch, without failed orders. */
export const WAITING_STATUSES = listed(
  ORDER_STATUSES.filter(({ status, dispatchable }) => dispatchable && !FAILED.includes(status)).map(
    ({ status }) => status,
  ),
);
