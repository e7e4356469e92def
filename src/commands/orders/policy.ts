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
  /** The orders' packages among these trackings, by tracking id, and the businesses of the orders, by their ids. */
  readonly ordersOf: (
    about: { readonly trackings: readonly string[]; readonly orders: readonly number[] },
    position: Batch['position'],
  ) => Promise<{
    readonly packages: ReadonlyMap<string, PackageOfOrder>;
    readonly businesses: ReadonlyMap<number, number>;
  }>;
}

export interface PackageOfOrder {
  readonly order_id: number;
  readonly business: number;
  readonly tracking_number: string;
}

/** The order that an event leads to. `tracking_number`: of the scanned package; null for an event of the order. */
export interface FollowedBy extends Omit<PackageOfOrder, 'tracking_number'> {
  readonly tracking_number: string | null;
}

export interface FollowedEvent extends FollowedBy {
  readonly event: StoredEvent;
}

export interface OrderPolicy {
  /** Selects the events of a batch that lead to commands, in their order, with the orders that follow them. */
  select(batch: Pick<Batch, 'events' | 'position'>): Promise<readonly FollowedEvent[]>;
  /**
   * Handles events of one order, in the order of the log. Handling them again changes nothing. Ignores events that
   * `select` does not select: the log may have been replaced since.
   */
  handle(events: readonly FollowedEvent[]): Promise<void>;
}

export function createOrderPolicy({ types, follow, orders, ordersOf }: OrderPolicyOptions): OrderPolicy {
  return {
    async select({ events, position }) {
      const followed = events.filter((event) => isFollowed(event) || isScan(event));
      if (followed.length === 0) return [];
      const { packages, businesses } = await ordersOf(
        {
          trackings: [...new Set(followed.filter(isScan).map(trackingOf))],
          orders: [...new Set(followed.filter(isFollowed).map(orderOf))],
        },
        position,
      );
      // Most scans belong to no order.
      return followed.flatMap((event): FollowedEvent[] => {
        if (isScan(event)) {
          const parcel = packages.get(trackingOf(event));
          return parcel ? [{ ...parcel, event }] : [];
        }
        const order_id = orderOf(event);
        return [{ order_id, business: businesses.get(order_id) ?? 0, tracking_number: null, event }];
      });
    },

    async handle(queued) {
      const events = queued.filter(isStillSelected);
      for (let at = 0; at < events.length;) {
        const { event, tracking_number, ...about } = events[at]!;
        if (tracking_number !== null) {
          const command = commandTo(event, decode(event, types), { ...about, tracking_number });
          await unlessRefused(orders(orderStream(about.order_id), command, causedBy(event)));
          at++;
          continue;
        }
        // Successive events of the order need its stream only once.
        const ids = new Set<string>();
        for (; events[at]?.tracking_number === null; at++) ids.add(events[at]!.event.id);
        await unlessRefused(follow(event.stream, ids));
      }
    },
  };
}

const isFollowed = ({ stream, type }: StoredEvent): boolean => stream.startsWith(ORDER_PREFIX) && FOLLOWED.has(type);

/** Whether the event is a carrier's scan. Scans with a colon in the provider come from the order itself. */
const isScan = ({ stream, type, data }: StoredEvent): boolean =>
  SCANS.has(type) && stream.startsWith(TRACKING_PREFIX) && !String(data['provider']).includes(':');

const isStillSelected = ({ event, tracking_number, order_id }: FollowedEvent): boolean =>
  tracking_number === null ? isFollowed(event) && orderOf(event) === order_id : isScan(event);

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
  const { status_code, occurred_at, instant, provider, incident_reason } = data as RecordedScan;
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
    ...(incident_reason && { reason_code: incident_reason.code }),
  };
}

/** Ignores commands that the state rejects: they must not block the following ones. */
const unlessRefused = (done: Promise<unknown>): Promise<unknown> =>
  done.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });

const trackingOf = ({ stream }: StoredEvent): string => stream.slice(TRACKING_PREFIX.length);
const orderOf = ({ stream }: StoredEvent): number => Number(stream.slice(ORDER_PREFIX.length));
