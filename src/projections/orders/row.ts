/** An order as stored in the read model. */
import type { JsonObject } from '../../events/core/log.js';
import type { OrderExceptionRow } from './exceptions.js';
import {
  HOLD_CAUSES,
  type OrderPlanning,
  type OrderStatus,
  type OrderType,
  type Package,
  type TimeWindow,
} from '../../events/orders/events.js';

/** `manual`: a user held the order. */
export const HOLD_REASONS = [...HOLD_CAUSES, 'manual'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The data of an event as stored, still encrypted, and the event's id, which the encryption is bound to. */
export interface EventData {
  readonly id: string;
  readonly data: JsonObject;
}

export interface OrderRow {
  readonly id: number;
  readonly business: number;
  readonly type: OrderType;
  readonly order_ref: string | null;
  readonly customer_id: number | null;
  schedule_date: string | null;
  readonly self_delivery: boolean;
  status: OrderStatus;
  /** Time of the last status change: RFC 3339, UTC. */
  status_since: string;
  status_id: number;
  /** Null: the order is not on hold. */
  hold_reason: HoldReason | null;
  /** The status is an exception that needs attention, such as failed or returned. */
  exception: boolean;
  route_id: number | null;
  /** Id of the active assignment. */
  assignment_id: number | null;
  broker_id: number | null;
  third_party: string | null;
  third_party_since: string | null;
  /** Until then providers can accept the order; null: it is not offered. RFC 3339, UTC. */
  offered_until: string | null;
  /** Start of the latest period in which no route, contractor or third party had the order: RFC 3339, UTC. */
  free_since: string;
  /** Time of the newest scan in the order's stream: UTC, with nine fraction digits. */
  last_scan_at: string | null;
  /** OTEP code, and incident reason. */
  last_scan_code: string | null;
  last_scan_reason: string | null;
  /** Id of the driver of this scan. */
  last_scan_driver: number | null;
  /** The order's own warehouse: where it starts or ends. */
  warehouse_id: number | null;
  /** Settings for the planning of the order; null: none. */
  planning: OrderPlanning | null;
  readonly replaces: number | null;
  replaced_by: number | null;
  readonly created_by: number | null;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  updated_at: string;
  revision: number;
  /** Postal codes of the pick-up and of the delivery. */
  readonly pickup_postal_code: string | null;
  readonly delivery_postal_code: string | null;
  packages: (Package & { last_scan?: string })[];
  time_windows: TimeWindow[];
  /** End of the window that ends first, `HH:MM`. */
  first_window_end: string | null;
  readonly created: EventData;
  /** The latest change; null: unchanged since creation. */
  instruction: EventData | null;
  note: EventData | null;
  /** Scans that say why a parcel comes back, in the order of the log, without superseded ones. */
  returned: EventData[];
  /** The latest positions of its stops, from a geocoder or a user; null: unchanged since creation. */
  pickup_located: EventData | null;
  delivery_located: EventData | null;
}

/**
 * A row with the contractor before the batch (absent: the order was created in the batch), and the exceptions that the
 * batch adds or removes.
 */
export type FoldedOrder = OrderRow & {
  readonly was?: Pick<OrderRow, 'broker_id'>;
  exceptions?: Map<string, OrderExceptionRow | null>;
};
