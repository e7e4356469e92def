/** The progress of an order, for platforms that have only order states. */
import type { TimelineEvent } from '../../events/otep/model.js';
import { statusMovers, vendorStatus, type StatusTable } from './vendor-status.js';

/**
 * The stages in ascending order; an order never moves back. `returned` means that the parcel is back. It does not mean
 * a refund, which a timeline does not contain.
 */
const RANK = { ordered: 0, labelled: 1, shipped: 2, delivered: 3, returned: 4, cancelled: 5 } as const;
export type Stage = keyof typeof RANK;

/** null: the stage does not change. */
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
  /** Oldest first; empty while the stage is `ordered`. */
  readonly changes: readonly StageChange[];
  /**
   * RFC 3339 time of the first event that shows that the parcel has left the sender. Undefined before that, and for an
   * order that was cancelled before that.
   */
  readonly shippedAt: string | undefined;
}

/** Computes the progress in one pass. Only events that change the status (rule 2 of the protocol) change the stage. */
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
