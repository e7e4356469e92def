/** Statuses of orders as conditions in SQL, which indexes and questions share word by word. */
import { FINAL_STATUSES, ORDER_STATUS_NAMES } from '../../events/orders/status.js';

const listed = (statuses: readonly string[]): string => `(${statuses.map((status) => `'${status}'`).join(', ')})`;

const FAILED = ['PICKUP_FAILED', 'DELIVERY_FAILED'];

/** Neither over nor failed. `of`: where the columns are, with its dot. */
export const isUnderWay = (of = ''): string =>
  `${of}status in ${listed(ORDER_STATUS_NAMES.filter((status) => !FINAL_STATUSES.includes(status) && !FAILED.includes(status)))}`;

/** Went back, or was refused. */
export const ENDED_BADLY = "status in ('RETURNED', 'REJECTED')";

/** On a route, and something of it is still to be done by its driver. */
export const hasOpenStop = (of = ''): string =>
  `(${of}status in ('PLANNED', 'OUT_FOR_PICKUP') or (${of}type <> 'P' and ${of}status in ('PICKED_UP', 'RECEIVED', 'IN_TRANSIT', 'OUT_FOR_DELIVERY')))`;
