/** The effect of each event on the row of its order. */
import type { StoredEvent } from '../../events/core/log.js';
import {
  AssignmentReleased,
  AssignmentRevoked,
  DeliveryInstructionChanged,
  OrderAssigned,
  OrderCancelled,
  OrderCreated,
  OrderGeocoded,
  OrderHeld,
  OrderNoteChanged,
  OrderPlanningSet,
  OrderPutOnRoute,
  OrderStatusChanged,
  OrderTakenOffRoute,
  OrderWarehouseSet,
  orderPlanningSchema,
  orderStatusId,
  PackageEnded,
  PackageScanned,
  PackageScanSuperseded,
  statusAfter,
  statusRow,
  ThirdPartyOffered,
  ThirdPartyOfferEnded,
  ThirdPartyReturnedOrder,
  ThirdPartyTookOrder,
  TimeWindowChanged,
  type HoldCause,
  type OrderStatus,
  type StopKind,
  type TimeWindow,
} from '../../events/orders/events.js';
import { takeException } from './exceptions.js';
import type { FoldedOrder, EventData, OrderRow } from './row.js';

/** Events that change packages. */
const PACKAGE_EVENTS: ReadonlySet<string> = new Set([PackageScanned.type, PackageEnded.type, OrderStatusChanged.type]);

/** Pure. Unknown events are ignored. Throws only if the stream does not begin with OrderCreated. */
export function foldOrder(row: FoldedOrder | undefined, event: StoredEvent): FoldedOrder {
  if (!row) return created(event);
  const data = event.data as Readonly<Record<string, never>>;
  row.revision = event.revision;
  row.updated_at = event.metadata['recorded_at'] as string;
  moveTo(row, statusAfter(event.type, data));
  takeScan(row, event);
  takeException(row, event);
  if (PACKAGE_EVENTS.has(event.type))
    row.packages = row.packages.map((one) =>
      one.tracking_number === data['tracking_number'] ? { ...one, last_scan: data['status_code']! } : one,
    );
  switch (event.type) {
    case PackageScanned.type:
      if (data['return_reason'] !== undefined) row.returned = [...row.returned, eventData(event)];
      break;
    case PackageScanSuperseded.type:
      row.returned = row.returned.filter(({ id }) => id !== data['scan_id']);
      forgetScan(row, event.data as unknown as ScanUndone);
      break;
    case OrderHeld.type:
      row.hold_reason = (data['why'] as HoldCause | undefined) ?? 'manual';
      break;
    case OrderCancelled.type:
      row.replaced_by = (event.data['replacement'] as { readonly order_id: number } | undefined)?.order_id ?? null;
      break;
    case DeliveryInstructionChanged.type:
      row.instruction = eventData(event);
      break;
    case OrderNoteChanged.type:
      row.note = eventData(event);
      break;
    case TimeWindowChanged.type:
      if (data['time_windows']) {
        row.time_windows = data['time_windows'];
        row.first_window_end = firstEnd(row.time_windows);
      }
      row.schedule_date = data['schedule_date'] ?? row.schedule_date;
      break;
    case OrderGeocoded.type:
      row[`${data['stop']! as StopKind}_located`] = eventData(event);
      break;
    case OrderPutOnRoute.type:
      row.route_id = data['route_id']!;
      break;
    case OrderTakenOffRoute.type:
      row.route_id = null;
      row.free_since = row.updated_at;
      break;
    case OrderPlanningSet.type:
      row.planning = orderPlanningSchema.parse(data);
      break;
    case OrderWarehouseSet.type:
      row.warehouse_id = data['warehouse_id']!;
      break;
    case OrderAssigned.type:
      row.assignment_id = data['assignment_id']!;
      row.broker_id = data['broker_id']!;
      break;
    case AssignmentRevoked.type:
    case AssignmentReleased.type:
      row.assignment_id = row.broker_id = null;
      row.free_since = row.updated_at;
      break;
    case ThirdPartyOffered.type:
      row.offered_until = data['respond_by']!;
      break;
    case ThirdPartyOfferEnded.type:
      row.offered_until = null;
      row.free_since = row.updated_at;
      break;
    case ThirdPartyTookOrder.type:
      row.third_party = data['provider']!;
      row.third_party_since = row.updated_at;
      break;
    case ThirdPartyReturnedOrder.type:
      row.third_party = row.third_party_since = null;
      row.free_since = row.updated_at;
      break;
  }
  return row;
}

function created(event: StoredEvent): OrderRow {
  if (event.type !== OrderCreated.type) throw new Error(`The stream has ${event.type} before OrderCreated.`);
  const data = event.data as unknown as OrderRow & {
    order_id: number;
    replaces?: number;
    pickup?: { postal_code?: string };
    delivery?: { postal_code?: string };
  };
  const recorded_at = event.metadata['recorded_at'] as string;
  const {
    order_id,
    business,
    type,
    order_ref = null,
    customer_id = null,
    schedule_date = null,
    self_delivery,
    created_by = null,
    replaces = null,
    packages,
    time_windows,
    pickup,
    delivery,
  } = data;
  return {
    id: order_id,
    business,
    type,
    order_ref,
    customer_id,
    schedule_date,
    self_delivery,
    status: 'NEW_ORDER',
    status_since: recorded_at,
    status_id: orderStatusId('NEW_ORDER'),
    hold_reason: null,
    exception: false,
    route_id: null,
    assignment_id: null,
    broker_id: null,
    third_party: null,
    third_party_since: null,
    offered_until: null,
    free_since: recorded_at,
    last_scan_at: null,
    last_scan_code: null,
    last_scan_reason: null,
    last_scan_driver: null,
    warehouse_id: null,
    planning: null,
    replaces,
    replaced_by: null,
    created_by,
    created_at: recorded_at,
    updated_at: recorded_at,
    revision: event.revision,
    pickup_postal_code: pickup?.postal_code ?? null,
    delivery_postal_code: delivery?.postal_code ?? null,
    packages,
    time_windows,
    first_window_end: firstEnd(time_windows),
    created: eventData(event),
    instruction: null,
    note: null,
    returned: [],
    pickup_located: null,
    delivery_located: null,
  };
}

function moveTo(row: OrderRow, status: OrderStatus | undefined): void {
  if (!status || status === row.status) return;
  row.status = status;
  row.status_since = row.updated_at;
  row.status_id = orderStatusId(status);
  if (status !== 'HOLD') row.hold_reason = null;
  row.exception = statusRow(status).exception;
}

/**
 * Stores the scan of the event as the last scan. This includes carriers' scans that moved the order or ended a package.
 * Scans that are older than the last scan are ignored.
 */
function takeScan(row: OrderRow, { type, data }: StoredEvent): void {
  if (type !== PackageScanned.type && data['scan'] === undefined) return;
  const { status_code, instant, reason_code = null, driver_id = null } = data as unknown as ScanData;
  if (instant < (row.last_scan_at ?? '')) return;
  row.last_scan_at = instant;
  row.last_scan_code = status_code;
  row.last_scan_reason = reason_code;
  row.last_scan_driver = driver_id;
}

/** The event names the newest scans that remain. */
function forgetScan(row: OrderRow, { tracking_number, last_scan, last_package_scan }: ScanUndone): void {
  row.last_scan_at = last_scan?.instant ?? null;
  row.last_scan_code = last_scan?.status_code ?? null;
  row.last_scan_reason = last_scan?.reason_code ?? null;
  row.last_scan_driver = last_scan?.driver_id ?? null;
  row.packages = row.packages.map((one) => {
    if (one.tracking_number !== tracking_number) return one;
    const { last_scan: _superseded, ...rest } = one;
    return { ...rest, ...(last_package_scan !== undefined && { last_scan: last_package_scan }) };
  });
}

interface ScanUndone {
  readonly tracking_number: string;
  readonly last_scan?: ScanData;
  readonly last_package_scan?: string;
}

interface ScanData {
  readonly status_code: string;
  readonly instant: string;
  readonly reason_code?: string;
  readonly driver_id?: number;
}

const firstEnd = (windows: readonly TimeWindow[]): string | null => windows.map(({ to }) => to).sort()[0] ?? null;

const eventData = ({ id, data }: StoredEvent): EventData => ({ id, data });
