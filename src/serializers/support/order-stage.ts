/** How far an order has come, for platforms that know order states only. */
import type { TimelineEvent } from '../../events/otep/model.js';
import { statusMovers, vendorStatus, type StatusTable } from './vendor-status.js';

/**
 * In the order they are reached; an order never goes back. `returned` is where the parcel is: that money went back, no
 * timeline can say.
 */
const RANK = { ordered: 0, labelled: 1, shipped: 2, delivered: 3, returned: 4, cancelled: 5 } as const;
export type Stage = keyof typeof RANK;

/** null: the order stays where it is. */
const STAGE_OF: StatusTable<Stage | null> = {
  codes: {
    information_submitted: ['labelled'],
    booking_confirmed: ['labelled'],
    awaiting_pickup: ['labelled'],
    out_for_pickup: ['labelled'],
    picked_up: ['shipped'],
    pickup_failed: ['labelled'],
    pickup_rescheduled: ['labelled'],
    received: ['shipped'],
    arrival_scan: ['shipped'],
    in_transit: ['shipped'],
    package_outbound: ['shipped'],
    removed_from_route: [null],
    route_cancelled: [null],
    out_for_delivery: ['shipped'],
    delivered: ['delivered'],
    delivery_failed: ['shipped'],
    delivery_rescheduled: [null],
    return_to_sender: ['returned'],
    rejected_by_recipient: ['returned'],
    cancelled: ['cancelled'],
  },
  phases: {
    pre_shipment: 'labelled',
    pickup: 'labelled',
    inbound: 'shipped',
    transit: 'shipped',
    out_for_delivery: 'shipped',
    delivered: 'shipped',
    exception: null,
    return: 'shipped',
  },
  information: null,
};

export interface StageChange {
  readonly stage: Stage;
  readonly event: TimelineEvent;
}

export interface OrderProgress {
  readonly stage: Stage;
  /** Oldest first; empty while the order is only ordered. */
  readonly changes: readonly StageChange[];
  /**
   * RFC 3339: when the parcel was first seen to have left the sender; undefined before, and for an order cancelled
   * before.
   */
  readonly shippedAt: string | undefined;
}

/** One pass over the events; only those that move the status (rule 2 of the protocol) move the order. */
export function orderProgress(events: readonly TimelineEvent[]): OrderProgress {
  const changes: StageChange[] = [];
  let stage: Stage = 'ordered';
  let shippedAt: string | undefined;
  for (const event of statusMovers(events)) {
    const next = vendorStatus(STAGE_OF, event);
    if (next === null || RANK[next] <= RANK[stage]) continue;
    changes.push({ stage: next, event });
    stage = next;
    if (next !== 'labelled' && next !== 'cancelled') shippedAt ??= event.occurred_at;
  }
  return { stage, changes, shippedAt };
}
