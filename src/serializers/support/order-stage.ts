/** The progress of an order and of its parcels, for platforms that have only order states. */
import type { TimelineEvent } from '../../events/otep/model.js';
import type { ParcelOrder } from '../format.js';
import { statusMovers, vendorStatus, type StatusTable } from './vendor-status.js';

/**
 * The stages of a parcel in ascending order; a parcel never moves back. `returned` means that the parcel is back. It
 * does not mean a refund, which a timeline does not contain.
 */
const RANK = { ordered: 0, labelled: 1, shipped: 2, delivered: 3, returned: 4, cancelled: 5 } as const;
export type ParcelStage = keyof typeof RANK;
/** The stages of an order: those of its parcels, and two for an order whose parcels differ. */
export type Stage = ParcelStage | 'partly_shipped' | 'partly_delivered';

/** null: the stage does not change. */
const STAGE_OF: StatusTable<ParcelStage | null> = {
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

export interface StageChange<S extends Stage = Stage> {
  readonly stage: S;
  readonly event: TimelineEvent;
}

export interface ParcelProgress {
  readonly stage: ParcelStage;
  /** Oldest first; empty while the stage is `ordered`. */
  readonly changes: readonly StageChange<ParcelStage>[];
  /**
   * RFC 3339 time of the first event that shows that the parcel has left the sender. Undefined before that, and for a
   * parcel that was cancelled before that.
   */
  readonly shippedAt: string | undefined;
}

/** Computes the progress in one pass. Only events that change the status (rule 2 of the protocol) change the stage. */
export function parcelProgress(events: readonly TimelineEvent[]): ParcelProgress {
  const changes: StageChange<ParcelStage>[] = [];
  let stage: ParcelStage = 'ordered';
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

export interface OrderProgress {
  readonly stage: Stage;
  /** Oldest first; empty while the stage is `ordered`. */
  readonly changes: readonly StageChange[];
  /** RFC 3339 time since when all parcels have left the sender; undefined before that. */
  readonly shippedAt: string | undefined;
}

/**
 * Computes the progress of an order from all its parcels (rule N15 of the protocol). Without the order, only one parcel
 * is known: its progress then never claims that the order is complete.
 */
export function orderProgress(events: readonly TimelineEvent[], order: ParcelOrder | undefined): OrderProgress {
  const parcels = (order?.parcels ?? [events]).map((parcel) => parcelProgress(parcel).changes);
  const stages = parcels.map((): ParcelStage => 'ordered');
  const changes: StageChange[] = [];
  let stage: Stage = 'ordered';
  let shippedAt: string | undefined;
  const all = parcels
    .flatMap((list, parcel) => list.map((change) => ({ ...change, parcel })))
    .sort((a, b) => Date.parse(a.event.occurred_at) - Date.parse(b.event.occurred_at));
  for (const { stage: next, event, parcel } of all) {
    stages[parcel] = next;
    const together = order ? stageOf(stages) : stageOfUnknown(next);
    if (together === stage) continue;
    stage = together;
    changes.push({ stage, event });
    if (IS_SHIPPED.has(stage)) shippedAt ??= event.occurred_at;
  }
  return { stage, changes, shippedAt };
}

const IS_SHIPPED: ReadonlySet<Stage> = new Set(['shipped', 'partly_delivered', 'delivered', 'returned']);

/** The stage of an order whose parcels have these stages. Cancelled parcels count only if all are cancelled. */
function stageOf(stages: readonly ParcelStage[]): Stage {
  const left = stages.filter((stage) => stage !== 'cancelled');
  if (left.length === 0) return 'cancelled';
  const reached = (rank: number) => left.filter((stage) => RANK[stage] >= rank).length;
  if (reached(RANK.shipped) === 0) return reached(RANK.labelled) > 0 ? 'labelled' : 'ordered';
  if (reached(RANK.shipped) < left.length) return 'partly_shipped';
  if (reached(RANK.delivered) === left.length) return left.includes('delivered') ? 'delivered' : 'returned';
  return left.includes('delivered') ? 'partly_delivered' : 'shipped';
}

/** The stage of an order of which one parcel is known, and possibly others are not. */
const stageOfUnknown = (stage: ParcelStage): Stage =>
  RANK[stage] >= RANK.shipped && stage !== 'cancelled' ? 'partly_shipped' : stage;
