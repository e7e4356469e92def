/**
 * What happens to an order. Stream `order-<integer id>`: everything that must be consistent with an order is an event
 * of it, so hold, route membership, third-party carrier and contractor assignment exclude each other by one append.
 *
 * Personal data of every event has the subject `order-<id>` (`orderSubject`), which is the stream's name: one key per
 * order, so that erasing an order's people is destroying one key, and erasing a customer is destroying those of its
 * orders.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { stopSchema } from './address.js';
import { AssignmentReleased, AssignmentRevoked, OrderAssigned } from './assignments.js';
import { ORDER_TYPES, packageSchema, timeWindowSchema } from './contents.js';
import { OrderGeocoded } from './locating.js';
import { ORDER_STATUS_NAMES, type OrderStatus } from './status.js';
import { scannerShape, siteOfScanSchema, WAREHOUSING_EVENTS } from './warehousing.js';

export * from './address.js';
export * from './assignments.js';
export * from './contents.js';
export * from './locating.js';
export * from './parcels.js';
export * from './status.js';
export * from './warehousing.js';

const text = z.string();
const status = z.enum(ORDER_STATUS_NAMES as [OrderStatus, ...OrderStatus[]]);
/** User id; absent where the service itself acts. */
const userId = z.int().optional();

export const ORDER_PREFIX = 'order-';
export const orderStream = (id: number): string => `${ORDER_PREFIX}${id}`;
export const orderSubject = orderStream;
export const orderIdOf = (stream: string): number => Number(stream.slice(ORDER_PREFIX.length));

export const OrderCreated = eventType(
  'OrderCreated',
  z.object({
    order_id: z.int(),
    business: z.int(),
    type: z.enum(ORDER_TYPES),
    /** The client's own reference; not unique. */
    order_ref: text.optional(),
    /** User id of the customer account that it belongs to. */
    customer_id: z.int().optional(),
    /** `YYYY-MM-DD`, in the business's timezone. */
    schedule_date: text.optional(),
    /** Delivered by the business's own drivers and contractors; else by a carrier. */
    self_delivery: z.boolean(),
    pickup: stopSchema.optional(),
    delivery: stopSchema.optional(),
    packages: z.array(packageSchema),
    /** What is in the packages, by tracking number. */
    descriptions: personal(z.record(text, text)),
    time_windows: z.array(timeWindowSchema),
    delivery_instruction: personal(text),
    /** Internal: never shown to the recipient. */
    note: personal(text),
    /** The order that this one was made from, at another address. */
    replaces: z.int().optional(),
    created_by: userId,
  }),
);

export const OrderCancelled = eventType(
  'OrderCancelled',
  z.object({
    cancelled_by: userId,
    reason: personal(text),
    /** It continues as another order to another address, which a policy creates from this. */
    replacement: z.object({ order_id: z.int(), delivery: stopSchema, tracking_numbers: z.array(text) }).optional(),
  }),
);

export const OrderHeld = eventType('OrderHeld', z.object({ held_by: userId, reason: personal(text) }));
export const OrderReleased = eventType('OrderReleased', z.object({ released_by: userId, reason: personal(text) }));

/** Absent text: it was taken away (or erased). */
export const DeliveryInstructionChanged = eventType(
  'DeliveryInstructionChanged',
  z.object({ delivery_instruction: personal(text), changed_by: userId }),
);
export const OrderNoteChanged = eventType('OrderNoteChanged', z.object({ note: personal(text), changed_by: userId }));
/** The windows replace all former ones; absent members stay as they were. */
export const TimeWindowChanged = eventType(
  'TimeWindowChanged',
  z.object({ time_windows: z.array(timeWindowSchema).optional(), schedule_date: text.optional(), changed_by: userId }),
);

export const orderPlanningSchema = z.object({
  /** At each of its stops; absent: as the settings say. */
  service_time_s: z.int().optional(),
  /** Codes: what driver and vehicle must have together. */
  required_skills: z.array(text).optional(),
  /** 0 to 9; the higher stays on a route where not all fit. */
  priority: z.int().optional(),
  /** How much of the business's own capacities it takes. */
  custom_sizes: z.array(z.object({ name: text, amount: z.number() })).optional(),
});
export type OrderPlanning = z.infer<typeof orderPlanningSchema>;
/** What plans want to know of it; replaces what was said before. */
export const OrderPlanningSet = eventType('OrderPlanningSet', orderPlanningSchema.extend({ set_by: userId }));

/** `plan_id`: of the plan that was committed. */
export const OrderPutOnRoute = eventType(
  'OrderPutOnRoute',
  z.object({ route_id: z.int(), put_by: userId, plan_id: z.int().optional() }),
);
/** `status`: the one it goes back to. `moved`: in the same append it is put on another one. */
export const OrderTakenOffRoute = eventType(
  'OrderTakenOffRoute',
  z.object({ route_id: z.int(), why: z.enum(['removed', 'cancelled', 'moved']), status, taken_by: userId }),
);

/** `provider`: the carrier's provider id; it may then write to the packages' timelines. */
export const ThirdPartyTookOrder = eventType('ThirdPartyTookOrder', z.object({ provider: text, given_by: userId }));
export const ThirdPartyReturnedOrder = eventType(
  'ThirdPartyReturnedOrder',
  z.object({ provider: text, taken_by: userId }),
);

/** A driver or an office scanned a package. */
export const PackageScanned = eventType(
  'PackageScanned',
  z.object({
    tracking_number: text,
    /** OTEP code. */
    status_code: text,
    /** RFC 3339 as it was sent; `instant` is the same moment in UTC with nine fraction digits. */
    occurred_at: text,
    instant: text,
    /** Scanned by a driver on the road, or else at an office. User id. */
    driver_id: z.int().optional(),
    scanned_by: userId,
    /** OTEP incident reason. */
    reason_code: text.optional(),
    gps: personal(z.object({ latitude: z.number(), longitude: z.number() })),
    /** Addresses of photos. */
    photos: personal(z.array(text)),
    note: personal(text),
    /** Where it was scanned in a warehouse, and by which scanner. */
    warehouse_id: z.int().optional(),
    location: text.optional(),
    site: siteOfScanSchema.optional(),
    ...scannerShape,
  }),
  { version: 2, upcast: { 1: (data) => data } },
);

/** A scan moved the order: its own (in the same append), or one of a carrier's timeline (`scan`: that event's id). */
export const OrderStatusChanged = eventType(
  'OrderStatusChanged',
  z.object({
    status,
    previous: status,
    tracking_number: text,
    status_code: text,
    instant: text,
    scan: text.optional(),
  }),
);

/** A package of an order with several reached its end while others have not: known, but the order's status stays. */
export const PackageEnded = eventType(
  'PackageEnded',
  z.object({ tracking_number: text, status_code: text, instant: text, scan: text.optional() }),
);

export const ORDER_EVENTS = [
  OrderCreated,
  OrderCancelled,
  OrderHeld,
  OrderReleased,
  DeliveryInstructionChanged,
  OrderNoteChanged,
  TimeWindowChanged,
  OrderPlanningSet,
  OrderPutOnRoute,
  OrderTakenOffRoute,
  ThirdPartyTookOrder,
  ThirdPartyReturnedOrder,
  OrderAssigned,
  AssignmentRevoked,
  AssignmentReleased,
  PackageScanned,
  OrderStatusChanged,
  PackageEnded,
  OrderGeocoded,
  ...WAREHOUSING_EVENTS,
] as const;

/** The order's status after an event, where it moves; for deciders and projections alike. */
export function statusAfter(type: string, data: { readonly [name: string]: unknown }): OrderStatus | undefined {
  switch (type) {
    case OrderCreated.type:
    case OrderReleased.type:
      return 'NEW_ORDER';
    case OrderHeld.type:
      return 'HOLD';
    case OrderCancelled.type:
      return 'CANCELLED';
    case OrderPutOnRoute.type:
      return 'PLANNED';
    case OrderTakenOffRoute.type:
    case OrderStatusChanged.type:
      return data['status'] as OrderStatus;
    default:
      return undefined;
  }
}

/** The content of OrderCreated. */
export type NewOrderData = z.infer<typeof OrderCreated.schema>;
