/** Order statuses as SQL conditions. Indexes and queries must use exactly the same text. */
import { FINAL_STATUSES, ORDER_STATUS_NAMES } from '../../events/orders/status.js';

const listed = (statuses: readonly string[]): string => `(${statuses.map((status) => `'${status}'`).join(', ')})`;

const FAILED = ['PICKUP_FAILED', 'DELIVERY_FAILED'];

/** The order has neither ended nor failed. `of`: prefix of the columns, with its dot. */
export const isUnderWay = (of = ''): string =>
  `${of}status in ${listed(ORDER_STATUS_NAMES.filter((status) => !FINAL_STATUSES.includes(status) && !FAILED.includes(status)))}`;

/** The order was returned or rejected. */
export const ENDED_BADLY = "status in ('RETURNED', 'REJECTED')";

/** The order is on a route, and its driver still has to work on it. */
export const hasOpenStop = (of = ''): string =>
  `(${of}status in ('PLANNED', 'OUT_FOR_PICKUP') or (${of}type <> 'P' and ${of}status in ('PICKED_UP', 'RECEIVED', 'IN_TRANSIT', 'OUT_FOR_DELIVERY')))`;
