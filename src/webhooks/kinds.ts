/**
 * Which events of the log lead to which webhook, and what it then says: one table. What no event leads to never fires.
 */
import {
  PROPOSAL_PREFIX,
  ProposalApproved,
  ProposalExecuted,
  ProposalExpired,
  ProposalFailed,
  ProposalRejected,
} from '../events/approvals/events.js';
import type { Json, JsonObject, StoredEvent } from '../events/core/log.js';
import {
  AssignmentReleased,
  AssignmentRevoked,
  ORDER_PREFIX,
  OrderAssigned,
  OrderCreated,
  orderIdOf,
  orderStatusId,
  statusAfter,
} from '../events/orders/events.js';
import { statusCode } from '../events/otep/codes.js';
import type { Instant } from '../events/otep/time.js';
import {
  TRACKING_PREFIX,
  TrackingEventRecorded,
  TrackingEventRetracted,
  type Owner,
} from '../events/trackings/events.js';
import type { WebhookKind } from '../events/webhooks/events.js';
import type { EventType } from '../events/core/event-types.js';
import { ALLIANCE_KINDS } from './alliance-kinds.js';
import { DRIVER_KINDS } from './driver-kinds.js';
import type { Kind, Told } from './kind.js';
import { journeyOfRow } from '../projections/trackings/journeys.js';
import { trackingOf } from '../projections/trackings/fold.js';

const ASSIGNMENT_CHANGES: Readonly<Record<string, string>> = {
  [OrderAssigned.type]: 'assigned',
  [AssignmentRevoked.type]: 'revoked',
  [AssignmentReleased.type]: 'released',
};

/** What an event of a proposal makes of it. */
const DECISIONS: Readonly<Record<string, string>> = {
  [ProposalApproved.type]: 'approved',
  [ProposalRejected.type]: 'rejected',
  [ProposalExpired.type]: 'expired',
  [ProposalExecuted.type]: 'executed',
  [ProposalFailed.type]: 'failed',
};

export const KINDS: Readonly<Record<WebhookKind, Kind>> = {
  order_created: {
    type: 'order.created',
    prefix: ORDER_PREFIX,
    fires: ({ type }) => type === OrderCreated.type,
    data: (told) => orderOf(told),
  },
  order_status_changed: {
    type: 'order.status_changed',
    prefix: ORDER_PREFIX,
    fires: ({ type, data }) => type !== OrderCreated.type && statusAfter(type, data) !== undefined,
    data: (told) => {
      const status = statusAfter(told.event.type, told.data)!;
      return definedOf({
        ...briefly(orderOf(told)),
        status,
        order_status_id: orderStatusId(status),
        reason: told.data['reason'],
      });
    },
  },
  tracking_event: {
    type: 'tracking.event',
    prefix: TRACKING_PREFIX,
    fires: ({ type, data }, { only_terminal_tracking_events }) =>
      (type === TrackingEventRecorded.type &&
        (!only_terminal_tracking_events || Boolean(statusCode(data['status_code'] as string)?.terminal))) ||
      (type === TrackingEventRetracted.type && !only_terminal_tracking_events),
    data: trackingEvent,
  },
  assignment_changed: {
    type: 'assignment.changed',
    prefix: ORDER_PREFIX,
    fires: ({ type }) => type in ASSIGNMENT_CHANGES,
    data: (told) => {
      const { assignment_id, broker_id, note, reason } = told.data;
      return definedOf({
        ...briefly(orderOf(told)),
        change: ASSIGNMENT_CHANGES[told.event.type],
        assignment_id,
        broker_id,
        note,
        reason,
      });
    },
  },
  proposal_decided: {
    type: 'proposal.decided',
    prefix: PROPOSAL_PREFIX,
    fires: ({ type }) => type in DECISIONS,
    data: ({ event, data, first, firstData }) => {
      const { tool, operation, risk, proposed_by } = firstData;
      const { approved_by, rejected_by, comment, code } = data;
      return definedOf({
        proposal_id: first.stream.slice(PROPOSAL_PREFIX.length),
        tool,
        operation,
        risk,
        proposed_by,
        status: DECISIONS[event.type],
        decided_by: approved_by ?? rejected_by,
        comment,
        code,
      });
    },
  },
  ...DRIVER_KINDS,
  ...ALLIANCE_KINDS,
};

export const PREFIXES = [...new Set(Object.values(KINDS).map(({ prefix }) => prefix))];

/**
 * The business that a stream belongs to, by its first event; undefined where it belongs to none (a provider's own
 * parcel).
 */
export function businessOf({ data, metadata }: StoredEvent): number | undefined {
  const owner = data['owner'] as Owner | undefined;
  const id = owner
    ? owner.kind === 'business'
      ? owner.id
      : undefined
    : (data['business'] ?? data['business_id'] ?? metadata['business']);
  return id === undefined ? undefined : Number(id);
}

type Created = typeof OrderCreated extends EventType<infer T> ? T : never;

function orderOf({ first, firstData }: Told): JsonObject {
  const {
    type,
    order_ref,
    customer_id,
    schedule_date,
    packages,
    pickup,
    delivery,
    time_windows,
    delivery_instruction,
  } = firstData as unknown as Created;
  return definedOf({
    order_id: orderIdOf(first.stream),
    order_ref,
    type,
    customer_id,
    schedule_date,
    tracking_numbers: packages.map(({ tracking_number }) => tracking_number),
    pickup,
    delivery,
    time_windows,
    delivery_instruction,
  });
}

/** Members without a value are left out. */
const definedOf = <T extends object>(members: T): JsonObject & { readonly [K in keyof T]: Json } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

/** What names the order; what else it holds was told when it was created. */
const briefly = ({ order_id, order_ref, tracking_numbers }: JsonObject) => ({ order_id, order_ref, tracking_numbers });

/**
 * The scan as the timeline of its owner shows it. `in_the_future` and what else follows from other events is not in it.
 */
function trackingEvent({ event, first, keys, data }: Told): JsonObject {
  const subject = first.data['subject'] as JsonObject;
  if (event.type === TrackingEventRetracted.type) {
    const { event_id, retracts, occurred_at } = data;
    return { subject, retraction: definedOf({ event_id, retracts, occurred_at }) };
  }
  const { timeline } = journeyOfRow(trackingOf([first, event]), { kind: 'full', keys }, data['instant'] as Instant);
  return { subject, event: timeline.events[0] as unknown as JsonObject };
}
