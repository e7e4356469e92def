/** Webhooks about orders and parcels. */
import { z } from 'zod';
import type { EventType } from '../events/core/event-types.js';
import type { Json, JsonObject } from '../events/core/log.js';
import {
  AssignmentReleased,
  AssignmentRevoked,
  ORDER_PREFIX,
  OrderAssigned,
  OrderCancelled,
  OrderCreated,
  OrderHeld,
  orderIdOf,
  OrderPutOnRoute,
  OrderReleased,
  OrderStatusChanged,
  orderStatusId,
  OrderTakenOffRoute,
  PackageScanSuperseded,
  statusAfter,
} from '../events/orders/events.js';
import { statusCode } from '../events/otep/codes.js';
import { derivedId } from '../events/otep/identity.js';
import type { Instant } from '../events/otep/time.js';
import {
  TRACKING_PREFIX,
  TrackingEventMapped,
  TrackingEventRecorded,
  TrackingEventRetracted,
} from '../events/trackings/events.js';
import { trackingOf } from '../projections/trackings/fold.js';
import { journeyOfRow } from '../projections/trackings/journeys.js';
import { byChange, oneOf, type Changes, type Example, type Kind, type PayloadInput } from './kind.js';

const STATUS_CHANGES = [
  OrderHeld,
  OrderReleased,
  OrderCancelled,
  OrderPutOnRoute,
  OrderTakenOffRoute,
  OrderStatusChanged,
  PackageScanSuperseded,
].map(({ type }) => type);
const ASSIGNMENT_CHANGES: Changes = {
  [OrderAssigned.type]: 'assigned',
  [AssignmentRevoked.type]: 'revoked',
  [AssignmentReleased.type]: 'released',
};

const text = z.string();
/** The identifiers of an order. */
export const named = { order_id: z.int(), order_ref: text.optional(), tracking_numbers: z.array(text) };
const members = z.record(text, z.unknown());

export const ORDER_EXAMPLE: Example = {
  stream: `${ORDER_PREFIX}0`,
  first: [
    'OrderCreated',
    {
      order_id: 0,
      business: 0,
      type: 'D',
      order_ref: 'EXAMPLE-1',
      schedule_date: '2026-01-05',
      self_delivery: true,
      delivery: { city: 'Hamburg', postal_code: '20095', country: 'DE' },
      packages: [{ tracking_number: 'EXAMPLE00001', weight: 1.5 }],
      time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }],
    },
  ],
};

export const ORDER_KINDS = {
  order_created: {
    type: 'order.created',
    since: '0.1.0',
    prefix: ORDER_PREFIX,
    on: [OrderCreated.type],
    objectId: 'order_id',
    status: ({ event, data }) => statusAfter(event.type, data),
    shape: z.object({
      ...named,
      type: text,
      customer_id: z.int().optional(),
      schedule_date: text.optional(),
      pickup: members.optional(),
      delivery: members.optional(),
      time_windows: z.array(members),
      delivery_instruction: text.optional(),
    }),
    data: (input) => orderOf(input),
    example: ORDER_EXAMPLE,
  },
  order_status_changed: {
    type: 'order.status_changed',
    since: '0.1.0',
    prefix: ORDER_PREFIX,
    on: STATUS_CHANGES,
    objectId: 'order_id',
    previousStatus: ({ event, data }) =>
      event.type === OrderReleased.type ? 'HOLD' : (data['previous'] as string | undefined),
    occurred: 'instant',
    only: ({ type, data }) => statusAfter(type, data) !== undefined,
    shape: z.object({ ...named, status: text, order_status_id: z.int(), reason: text.optional() }),
    data: (input) => {
      const status = statusAfter(input.event.type, input.data)!;
      return definedOf({
        ...briefly(orderOf(input)),
        status,
        order_status_id: orderStatusId(status),
        reason: input.data['reason'],
      });
    },
    example: { ...ORDER_EXAMPLE, trigger: ['OrderHeld', { held_by: 0 }] },
  },
  tracking_event: {
    type: 'tracking.event',
    since: '0.1.0',
    prefix: TRACKING_PREFIX,
    on: [TrackingEventRecorded.type, TrackingEventMapped.type, TrackingEventRetracted.type],
    objectId: ({ first }) => first.stream.slice(TRACKING_PREFIX.length),
    status: ({ data }) => data['status_code'] as string | undefined,
    occurred: 'occurred_at',
    only: ({ data }, { only_terminal_tracking_events }) =>
      !only_terminal_tracking_events || Boolean(statusCode(data['status_code'] as string)?.terminal),
    shape: z.object({
      subject: members,
      event: z
        .looseObject({ otep_version: text, event_id: text, occurred_at: text, status_code: text, status_id: text })
        .optional(),
      retraction: z.object({ event_id: text, retracts: text, occurred_at: text.optional() }).optional(),
    }),
    data: trackingEvent,
    example: {
      stream: `${TRACKING_PREFIX}${derivedId('example')}`,
      first: [
        'TrackingOpened',
        {
          owner: { kind: 'business', id: '0' },
          number: 'EXAMPLE00001',
          generation: 0,
          profile: 'parcel',
          subject: { tracking_number: 'EXAMPLE00001', order_id: '0' },
        },
      ],
      trigger: [
        'TrackingEventRecorded',
        {
          event_id: 'example-1',
          provider: 'example-carrier',
          otep_version: '0.1',
          occurred_at: '2026-01-05T10:30:00+01:00',
          instant: '2026-01-05T09:30:00.000000000Z',
          status_code: 'out_for_delivery',
          location: { city: 'Hamburg', country: 'DE' },
          source: { type: 'carrier', provider: 'example-carrier' },
        },
      ],
    },
  },
  assignment_changed: {
    type: 'assignment.changed',
    since: '0.1.0',
    prefix: ORDER_PREFIX,
    on: Object.keys(ASSIGNMENT_CHANGES),
    objectId: 'assignment_id',
    status: byChange,
    shape: z.object({
      ...named,
      change: oneOf(ASSIGNMENT_CHANGES),
      assignment_id: z.int(),
      broker_id: z.int(),
      note: text.optional(),
      reason: text.optional(),
    }),
    data: (input) => {
      const { assignment_id, broker_id, note, reason } = input.data;
      return definedOf({
        ...briefly(orderOf(input)),
        change: ASSIGNMENT_CHANGES[input.event.type],
        assignment_id,
        broker_id,
        note,
        reason,
      });
    },
    example: { ...ORDER_EXAMPLE, trigger: ['OrderAssigned', { assignment_id: 0, broker_id: 0, assigned_by: 0 }] },
  },
} as const satisfies Readonly<Record<string, Kind>>;

type Created = typeof OrderCreated extends EventType<infer T> ? T : never;

/** The members of the order's creation. */
export function orderOf({ first, firstData }: PayloadInput): JsonObject {
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

/** Removes members without a value. */
export const definedOf = <T extends object>(members: T): JsonObject & { readonly [K in keyof T]: Json } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

/** Returns only the identifiers of the order; the webhook about its creation contained the rest. */
export const briefly = ({ order_id, order_ref, tracking_numbers }: JsonObject) => ({
  order_id,
  order_ref,
  tracking_numbers,
});

/**
 * Returns the scan as its owner's timeline shows it, without `in_the_future` and other data that depend on other
 * events.
 */
function trackingEvent({ event, first, keys, data }: PayloadInput): JsonObject {
  const subject = first.data['subject'] as JsonObject;
  if (event.type === TrackingEventRetracted.type) {
    const { event_id, retracts, occurred_at } = data;
    return { subject, retraction: definedOf({ event_id, retracts, occurred_at }) };
  }
  const { timeline } = journeyOfRow(trackingOf([first, event]), { kind: 'full', keys }, data['instant'] as Instant);
  return { subject, event: timeline.events[0] as unknown as JsonObject };
}
