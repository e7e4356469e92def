/**
 * Converts an order's events to scans on the timelines of its packages (OTEP). They contain no personal data: locations
 * are limited to city, region and country. Names and photos stay with the order. Pure.
 */
import type { StoredEvent } from '../../events/core/log.js';
import {
  isEnd,
  isInHand,
  OrderCancelled,
  OrderCreated,
  OrderPutOnRoute,
  OrderStatusChanged,
  OrderTakenOffRoute,
  PackageEnded,
  PackageScanned,
  PackageScanSuperseded,
  statusAfter,
  type NewOrderData,
  type Package,
  type SiteOfScan,
  type Stop,
} from '../../events/orders/events.js';
import type { Code } from '../../events/otep/codes.js';
import { derivedId } from '../../events/otep/identity.js';
import { OTEP_VERSION } from '../../events/otep/model.js';
import { instantOf } from '../../events/otep/time.js';
import type { RecordedScan, Retraction } from '../../events/trackings/events.js';

/** A scan or a retraction for the timeline of a package. */
export type PackageScan = { readonly parcel: Package } & (
  { readonly scan: Omit<RecordedScan, 'provider'> } | { readonly retraction: Omit<Retraction, 'provider'> }
);

export const SCANNED_EVENT_TYPES: readonly string[] = [
  OrderCreated.type,
  OrderPutOnRoute.type,
  OrderTakenOffRoute.type,
  PackageScanned.type,
  PackageScanSuperseded.type,
  OrderCancelled.type,
];

/** The scans that `event` leads to. `past`: the events of the order, oldest first. */
export function scansOf(event: StoredEvent, past: readonly StoredEvent[]): PackageScan[] {
  const order = past[0]!.data as unknown as NewOrderData;
  const before = past.slice(0, past.indexOf(event));
  if (event.type === PackageScanned.type) {
    const { tracking_number, status_code, occurred_at, instant, driver_id, reason_code, site } =
      event.data as unknown as {
        tracking_number: string;
        status_code: string;
        occurred_at: string;
        instant: string;
        driver_id?: number;
        reason_code?: string;
        site?: SiteOfScan;
      };
    const parcel = order.packages.find((one) => one.tracking_number === tracking_number);
    const at = site ?? placeOf(status_code, order);
    const scan = {
      event_id: event.id,
      otep_version: OTEP_VERSION,
      occurred_at,
      instant,
      status_code,
      source: { type: driver_id === undefined ? 'node_scan' : 'driver' },
      ...(at && { location: at }),
      ...(reason_code !== undefined && { incident_reason: { code: reason_code } }),
    };
    return parcel ? [{ parcel, scan }] : [];
  }
  const occurred_at = event.metadata['recorded_at'] as string;
  if (event.type === PackageScanSuperseded.type) {
    const { scan_id: retracts, tracking_number } = event.data as Readonly<Record<string, string>>;
    const parcel = order.packages.find((one) => one.tracking_number === tracking_number);
    // A carrier retracts its own scans.
    const isOwn = before.some(({ id, type }) => id === retracts && type === PackageScanned.type);
    const retraction = { event_id: event.id, retracts: retracts!, occurred_at };
    if (!parcel) return [];
    return [...(isOwn ? [{ parcel, retraction }] : []), ...lateCancellation(parcel, event, past)];
  }
  const code = codeOf(event, before);
  if (code === undefined) return [];
  const ended = endedBefore(before);
  return order.packages
    .filter(({ tracking_number }) => !ended.has(tracking_number))
    .map((parcel) => ({
      parcel,
      scan: {
        event_id: event.id,
        otep_version: OTEP_VERSION,
        occurred_at,
        instant: instantOf(occurred_at)!,
        status_code: code,
        source: { type: 'platform' },
      },
    }));
}

/**
 * A route counts as a booking confirmation until the parcel has been picked up. After that, planning adds nothing to
 * the timeline.
 */
function codeOf({ type, data }: StoredEvent, before: readonly StoredEvent[]): Code | undefined {
  switch (type) {
    case OrderCreated.type:
      return 'information_submitted';
    case OrderPutOnRoute.type:
      return before.some((past) => isInHand(statusAfter(past.type, past.data) ?? 'NEW_ORDER'))
        ? undefined
        : 'booking_confirmed';
    case OrderTakenOffRoute.type:
      return data['why'] === 'removed' ? 'removed_from_route' : undefined;
    case OrderCancelled.type:
      return 'cancelled';
    default:
      return undefined;
  }
}

/**
 * The cancellation of the order, for a package that had ended before it: without the scan of its end, the cancellation
 * concerns the package too.
 */
function lateCancellation(parcel: Package, event: StoredEvent, past: readonly StoredEvent[]): PackageScan[] {
  const { tracking_number } = parcel;
  const cancelled = past.slice(0, past.indexOf(event)).find(({ type }) => type === OrderCancelled.type);
  if (!cancelled) return [];
  const hadEnded = endedBefore(past.slice(0, past.indexOf(cancelled))).has(tracking_number);
  const hasEnded = endedBefore(past.slice(0, past.indexOf(event) + 1)).has(tracking_number);
  if (!hadEnded || hasEnded) return [];
  const occurred_at = cancelled.metadata['recorded_at'] as string;
  const scan = {
    event_id: derivedId('late cancellation', event.id),
    otep_version: OTEP_VERSION,
    occurred_at,
    instant: instantOf(occurred_at)!,
    status_code: 'cancelled',
    source: { type: 'platform' as const },
  };
  return [{ parcel, scan }];
}

/** Tracking numbers of the packages that had reached a final status before. */
export function endedBefore(before: readonly StoredEvent[]): Set<string> {
  /** Position of the last event that supersedes a scan. A carrier's scan may count again later. */
  const superseded = new Map(
    before.flatMap(({ type, data }, index) =>
      type === PackageScanSuperseded.type ? [[data['scan_id'] as string, index] as const] : [],
    ),
  );
  // A change of status by the service's own scan follows the scan itself.
  const ends = before.filter(
    ({ id, type, data }, index) =>
      (type === PackageScanned.type
        ? !superseded.has(id)
        : (type === PackageEnded.type || type === OrderStatusChanged.type) &&
          data['scan'] !== undefined &&
          index > (superseded.get(data['scan'] as string) ?? -1)) && isEnd(data['status_code'] as string),
  );
  return new Set(ends.map(({ data }) => data['tracking_number'] as string));
}

/** City, region and country of the stop where a scan happens. Undefined for scans between the stops. */
function placeOf(
  code: string,
  { pickup, delivery }: NewOrderData,
): Pick<Stop, 'city' | 'region' | 'country'> | undefined {
  const stop = ['picked_up', 'pickup_failed'].includes(code)
    ? pickup
    : ['delivered', 'delivery_failed', 'rejected_by_recipient'].includes(code)
      ? delivery
      : undefined;
  const { city, region, country } = stop ?? {};
  return (city ?? region ?? country)
    ? {
        ...(city !== undefined && { city }),
        ...(region !== undefined && { region }),
        ...(country !== undefined && { country }),
      }
    : undefined;
}
