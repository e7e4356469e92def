/** An order as the read model keeps it. */
import type { JsonObject } from '../../events/core/log.js';
import type { OrderPlanning, OrderStatus, OrderType, Package, TimeWindow } from '../../events/orders/events.js';

/** An event's data as it is stored, still sealed, with the event's id, which the seal is bound to. */
export interface KeptEvent {
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
  /** When it came into the status: RFC 3339, UTC. */
  status_since: string;
  status_id: number;
  /** Failed, returned and the like: wants attention. */
  exception: boolean;
  route_id: number | null;
  /** Of the active assignment. */
  assignment_id: number | null;
  broker_id: number | null;
  third_party: string | null;
  third_party_since: string | null;
  /** Since when neither a route, a contractor nor a third party has it; told of while one has it: since when before. */
  free_since: string;
  /** Of the newest scan that its stream knows: UTC, with nine fraction digits. */
  last_scan_at: string | null;
  /** OTEP code, and incident reason. */
  last_scan_code: string | null;
  last_scan_reason: string | null;
  /** Who scanned it on the road. */
  last_scan_driver: number | null;
  /** Its own: where it starts or ends. */
  warehouse_id: number | null;
  /** What plans want to know of it; null: nothing was said. */
  planning: OrderPlanning | null;
  readonly replaces: number | null;
  replaced_by: number | null;
  readonly created_by: number | null;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  updated_at: string;
  revision: number;
  /** Area of the pick-up and of the delivery. */
  readonly pickup_postal_code: string | null;
  readonly delivery_postal_code: string | null;
  packages: (Package & { last_scan?: string })[];
  time_windows: TimeWindow[];
  /** When the first of its windows ends, `HH:MM`. */
  first_window_end: string | null;
  readonly created: KeptEvent;
  /** The latest change; null: as it was created. */
  instruction: KeptEvent | null;
  note: KeptEvent | null;
  /** Where its stops are, as was found or said since; null: as it was created. */
  pickup_located: KeptEvent | null;
  delivery_located: KeptEvent | null;
}

/** With whose it was before the batch; absent: created in the batch. */
export type FoldedOrder = OrderRow & { readonly was?: Pick<OrderRow, 'broker_id'> };
