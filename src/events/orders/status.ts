/**
 * The statuses of an order: one table with the meaning, rules and next statuses of each. docs/orders.md shows it
 * (checked by a test). The specification defines only NEW_ORDER and HOLD.
 */
import type { Code } from '../otep/codes.js';

export type OrderStatus =
  | 'NEW_ORDER'
  | 'HOLD'
  | 'PLANNED'
  | 'OUT_FOR_PICKUP'
  | 'PICKUP_FAILED'
  | 'PICKED_UP'
  | 'RECEIVED'
  | 'IN_TRANSIT'
  | 'OUT_FOR_DELIVERY'
  | 'DELIVERY_FAILED'
  | 'DELIVERED'
  | 'RETURNED'
  | 'REJECTED'
  | 'CANCELLED';

export interface StatusRow {
  /** `order_status_id` in the APIs. Its meaning never changes; gaps leave room for new values. */
  readonly id: number;
  readonly status: OrderStatus;
  readonly meaning: string;
  /** Ready for dispatch: may be assigned to a contractor, put on a route, given to a third party, or held. */
  readonly dispatchable: boolean;
  /** No status follows; the order can no longer be cancelled. */
  readonly final: boolean;
  /** Needs attention: listed among the exceptions of a day. */
  readonly exception: boolean;
  /** Statuses that may follow. */
  readonly next: readonly OrderStatus[];
}

/** Statuses that a scan can set from any active status. */
const SCANNED = [
  'OUT_FOR_PICKUP',
  'PICKUP_FAILED',
  'PICKED_UP',
  'RECEIVED',
  'IN_TRANSIT',
  'OUT_FOR_DELIVERY',
  'DELIVERY_FAILED',
  'DELIVERED',
  'RETURNED',
  'REJECTED',
] as const;
const WAITING: readonly OrderStatus[] = ['HOLD', 'PLANNED', 'CANCELLED', ...SCANNED];
const MOVING: readonly OrderStatus[] = ['CANCELLED', ...SCANNED];

const row = (
  id: number,
  status: OrderStatus,
  meaning: string,
  next: readonly OrderStatus[],
  { dispatchable = false, final = false, exception = false } = {},
): StatusRow => ({ id, status, meaning, dispatchable, final, exception, next: next.filter((one) => one !== status) });

export const ORDER_STATUSES: readonly StatusRow[] = [
  row(10, 'NEW_ORDER', 'Created, or released from a hold; waits for dispatch.', WAITING, { dispatchable: true }),
  row(20, 'HOLD', 'On hold: it is not dispatched. Scans are recorded, but only a final status changes it.', [
    'NEW_ORDER',
    'CANCELLED',
    'DELIVERED',
    'RETURNED',
    'REJECTED',
  ]),
  row(30, 'PLANNED', 'On a route, but the driver has not started with it.', ['NEW_ORDER', ...MOVING]),
  row(40, 'OUT_FOR_PICKUP', 'The driver is on the way to collect it.', ['NEW_ORDER', ...MOVING]),
  row(45, 'PICKUP_FAILED', 'The pick-up failed or was postponed.', WAITING, { dispatchable: true, exception: true }),
  row(50, 'PICKED_UP', 'Collected.', MOVING),
  row(60, 'RECEIVED', 'Arrived at a warehouse or hub; waits for dispatch.', WAITING, { dispatchable: true }),
  row(70, 'IN_TRANSIT', 'On the way between two places.', MOVING),
  row(80, 'OUT_FOR_DELIVERY', 'The driver is on the way to deliver it.', MOVING),
  row(85, 'DELIVERY_FAILED', 'The delivery failed or was postponed.', WAITING, { dispatchable: true, exception: true }),
  row(90, 'DELIVERED', 'Handed over. Every package has a final status.', [], { final: true }),
  row(100, 'RETURNED', 'Back at the sender.', [], { final: true, exception: true }),
  row(105, 'REJECTED', 'The recipient rejected it.', [], { final: true, exception: true }),
  row(110, 'CANCELLED', 'Cancelled before delivery.', [], { final: true }),
];

export const ORDER_STATUS_NAMES = ORDER_STATUSES.map(({ status }) => status);
const byName = new Map(ORDER_STATUSES.map((entry) => [entry.status, entry]));

export const statusRow = (status: OrderStatus): StatusRow => byName.get(status)!;
export const isFinal = (status: OrderStatus): boolean => statusRow(status).final;
export const FINAL_STATUSES = ORDER_STATUS_NAMES.filter(isFinal);
export const isOrderStatus = (name: string): name is OrderStatus => byName.has(name as OrderStatus);
export const orderStatusId = (status: OrderStatus): number => statusRow(status).id;
export const mayFollow = (from: OrderStatus, to: OrderStatus): boolean => statusRow(from).next.includes(to);

/**
 * The status that an OTEP scan leads to; null: no change of the order's status. A provider's `cancelled` ends only the
 * provider's part; only the business cancels the order.
 */
export const STATUS_OF_CODE = {
  information_submitted: null,
  booking_confirmed: null,
  awaiting_pickup: null,
  out_for_pickup: 'OUT_FOR_PICKUP',
  picked_up: 'PICKED_UP',
  pickup_failed: 'PICKUP_FAILED',
  pickup_rescheduled: 'PICKUP_FAILED',
  received: 'RECEIVED',
  arrival_scan: 'RECEIVED',
  in_transit: 'IN_TRANSIT',
  package_outbound: 'IN_TRANSIT',
  removed_from_route: null,
  route_cancelled: null,
  out_for_delivery: 'OUT_FOR_DELIVERY',
  delivered: 'DELIVERED',
  delivery_failed: 'DELIVERY_FAILED',
  delivery_rescheduled: 'DELIVERY_FAILED',
  return_to_sender: 'RETURNED',
  rejected_by_recipient: 'REJECTED',
  cancelled: null,
} as const satisfies Record<Code, OrderStatus | null>;

/** Codes that drivers and office users may scan: those that change the status of an order. */
export const SCAN_CODES = Object.entries(STATUS_OF_CODE)
  .filter(([, status]) => status !== null)
  .map(([code]) => code as Code);

/**
 * The order's status after a scan with this code; undefined if the code does not change it (also for experimental
 * codes).
 */
export const statusOfCode = (code: string): OrderStatus | undefined =>
  Object.hasOwn(STATUS_OF_CODE, code) ? (STATUS_OF_CODE[code as Code] ?? undefined) : undefined;

/** Whether a scan with this code ends the package's journey. */
export const isEnd = (code: string): boolean => {
  const status = statusOfCode(code);
  return status !== undefined && isFinal(status);
};

/** Whether the carrier has, or has had, an order in this status. */
export const isInHand = (status: OrderStatus): boolean =>
  [
    'PICKED_UP',
    'RECEIVED',
    'IN_TRANSIT',
    'OUT_FOR_DELIVERY',
    'DELIVERY_FAILED',
    'DELIVERED',
    'RETURNED',
    'REJECTED',
  ].includes(status);
