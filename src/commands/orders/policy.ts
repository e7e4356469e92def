/**
 * Connects orders and timelines in both directions, from the log: completes the steps that a crash prevented, and
 * applies carriers' scans to orders.
 */
import { decode, type EventTypes } from '../../events/core/codec.js';
import type { Batch, StoredEvent } from '../../events/core/log.js';
import { ORDER_PREFIX, orderStream } from '../../events/orders/events.js';
import {
  TRACKING_PREFIX,
  TrackingEventMapped,
  TrackingEventRecorded,
  TrackingEventRetracted,
  TrackingRetractionWithdrawn,
  mappedEventId,
  scanEventId,
  type RecordedScan,
  type Retraction,
} from '../../events/trackings/events.js';
import { DomainError } from '../core/domain-error.js';
import { causedBy, FOLLOWED, type FollowOrder } from './following.js';
import type { Handle } from '../core/handle.js';
import type { OrderCommand, OrderReply } from './decider.js';

/** A kept event counts when it is mapped. */
const SCANS: ReadonlySet<string> = new Set([
  TrackingEventRecorded.type,
  TrackingEventMapped.type,
  TrackingEventRetracted.type,
  TrackingRetractionWithdrawn.type,
]);

export interface OrderPolicyOptions {
  readonly types: EventTypes;
  readonly follow: FollowOrder;
  readonly orders: Handle<OrderCommand, OrderReply>;
  /** The orders' packages among these trackings, by tracking id, as of `position`. */
  readonly packagesOf: (
    trackings: readonly string[],
    position: Batch['position'],
  ) => Promise<ReadonlyMap<string, PackageOfOrder>>;
}

export interface PackageOfOrder {
  readonly order_id: number;
  readonly business: number;
  readonly tracking_number: string;
}

/** Processes a batch. Processing it again changes nothing. */
export type OrderPolicy = (batch: Pick<Batch, 'events' | 'position'>) => Promise<void>;

export function createOrderPolicy({ types, follow, orders, packagesOf }: OrderPolicyOptions): OrderPolicy {
  return async ({ events, position }) => {
    const newEventIds = new Map<string, Set<string>>();
    for (const { stream, type, id } of events)
      if (stream.startsWith(ORDER_PREFIX) && FOLLOWED.has(type))
        newEventIds.set(stream, (newEventIds.get(stream) ?? new Set()).add(id));
    for (const [stream, ids] of newEventIds) await unlessRefused(follow(stream, ids));
    await followScans(
      events.filter(({ stream, type }) => SCANS.has(type) && stream.startsWith(TRACKING_PREFIX)),
      position,
    );
  };

  /** One after the other, so that an order gets its scans in the order of the log. */
  async function followScans(scans: readonly StoredEvent[], position: Batch['position']): Promise<void> {
    if (scans.length === 0) return;
    const packages = await packagesOf([...new Set(scans.map(trackingOf))], position);
    for (const event of scans) {
      const found = packages.get(trackingOf(event));
      // Skips scans that come from the order itself. Most scans belong to no order, so their data is not decoded.
      if (!found || String(event.data['provider']).includes(':')) continue;
      await unlessRefused(
        orders(orderStream(found.order_id), commandTo(event, decode(event, types), found), causedBy(event)),
      );
    }
  }
}

/** The command to the order that follows from a carrier's scan, its retraction, or the withdrawal of that. `data` is decoded. */
function commandTo({ id, stream, type }: StoredEvent, data: unknown, parcel: PackageOfOrder): OrderCommand {
  const { order_id: orderId, business, tracking_number } = parcel;
  if (type === TrackingEventRetracted.type || type === TrackingRetractionWithdrawn.type) {
    const { retracts, provider } = data as Pick<Retraction, 'retracts' | 'provider'>;
    const tracking = stream.slice(TRACKING_PREFIX.length);
    const scans = [scanEventId(tracking, retracts), mappedEventId(tracking, retracts)];
    const base = { commandId: id, orderId, business, scans };
    return type === TrackingEventRetracted.type
      ? { do: 'unfollow_scan', ...base }
      : { do: 'follow_scan_again', ...base, provider };
  }
  const { status_code, occurred_at, instant, provider } = data as RecordedScan;
  return {
    do: 'follow_scan',
    commandId: id,
    orderId,
    business,
    tracking_number,
    status_code,
    occurred_at,
    instant,
    scan: id,
    provider,
  };
}

/** Ignores commands that the state rejects: they must not block the following ones. */
const unlessRefused = (done: Promise<unknown>): Promise<unknown> =>
  done.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });

const trackingOf = ({ stream }: StoredEvent): string => stream.slice(TRACKING_PREFIX.length);
