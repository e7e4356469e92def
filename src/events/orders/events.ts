/**
 * Events of an order. Stream `order-<integer id>`. All data that must be consistent with an order is in its stream.
 * Hold, route membership, third-party carrier and contractor assignment therefore exclude each other within one append.
 *
 * Personal data of every event has the key subject `order-<id>` (`orderSubject`), which is the stream's name. To erase
 * an order's personal data, one key is destroyed. To erase a customer, the keys of its orders are destroyed.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { BILL_EVENTS, replacementBillSchema } from '../bill/events.js';
import { stopSchema } from './address.js';
import { AssignmentReleased, AssignmentRevoked, OrderAssigned } from './assignments.js';
import { ORDER_TYPES, packageSchema, timeWindowSchema } from './contents.js';
import { OrderGeocoded } from './locating.js';
import { returnShape } from './returning.js';
import { PackageScanSuperseded, SCAN_CONFLICT_EVENTS } from './scan-conflicts.js';
import { ORDER_STATUS_NAMES, type OrderStatus } from './status.js';
import { THIRD_PARTY_EVENTS } from './third-party.js';
import { scannerShape, siteOfScanSchema, WAREHOUSING_EVENTS } from './warehousing.js';

export * from './address.js';
export * from './assignments.js';
export * from './contents.js';
export * from './locating.js';
export * from './parcels.js';
export * from './returning.js';
export * from './scan-conflicts.js';
export * from './status.js';
export * from './third-party.js';
export * from './warehousing.js';

const text = z.string();
const status = z.enum(ORDER_STATUS_NAMES as [OrderStatus, ...OrderStatus[]]);
/** User id; absent if the service acts. */
const userId = z.int().optional();

export const ORDER_PREFIX = 'order-';
export const orderStream = (id: number): string => `${ORDER_PREFIX}${id}`;
export const orderSubject = orderStream;
export const orderIdOf = (stream: string): number => Number(stream.slice(ORDER_PREFIX.length));
/** Ids of the orders among key subjects. */
export const orderIdsIn = (subjects: readonly string[]): number[] =>
  subjects.flatMap((subject) => /^order-(\d+)$/.exec(subject)?.[1] ?? []).map(Number);

export const OrderCreated = eventType(
  'OrderCreated',
  z.object({
    order_id: z.int(),
    business: z.int(),
    type: z.enum(ORDER_TYPES),
    /** Reference of the client; not unique by default. */
    order_ref: text.optional(),
    /** User id of the customer account that owns the order. */
    customer_id: z.int().optional(),
    /** `YYYY-MM-DD`, in the business's time zone. */
    schedule_date: text.optional(),
    /** True: delivered by the business's drivers and contractors. False: by a carrier. */
    self_delivery: z.boolean(),
    pickup: stopSchema.optional(),
    delivery: stopSchema.optional(),
    /** Entries of the address book that the stops were copied from. */
    pickup_address_id: z.int().optional(),
    delivery_address_id: z.int().optional(),
    packages: z.array(packageSchema),
    /** Contents of the packages, by tracking number. */
    descriptions: personal(z.record(text, text)),
    time_windows: z.array(timeWindowSchema),
    delivery_instruction: personal(text),
    /** Internal: never shown to the recipient. */
    note: personal(text),
    /** The order that this one replaces, with another address. */
    replaces: z.int().optional(),
    /** Why the parcels of a pick-up come back. */
    ...returnShape,
    created_by: userId,
  }),
  { version: 3, upcast: { 1: (data) => data, 2: (data) => data } },
);

export const OrderCancelled = eventType(
  'OrderCancelled',
  z.object({
    cancelled_by: userId,
    reason: personal(text),
    /** The order continues as another order with another address. A policy creates it from this data. */
    replacement: z
      .object({
        order_id: z.int(),
        delivery: stopSchema,
        tracking_numbers: z.array(text),
        /** Absent in events of earlier releases: they refunded all payments, and the replacement had no price. */
        bill: replacementBillSchema.optional(),
      })
      .optional(),
  }),
  { version: 2, upcast: { 1: (data) => data } },
);

/** Why the service holds an order, and releases it again: the customer has to pay first, or the office sets its price. */
export const HOLD_CAUSES = ['payment', 'price'] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];
/** `why`: absent if a user decided. */
const why = z.enum(HOLD_CAUSES).optional();

export const OrderHeld = eventType('OrderHeld', z.object({ held_by: userId, reason: personal(text), why }), {
  version: 3,
  upcast: { 1: (data) => data, 2: (data) => data },
});
export const OrderReleased = eventType(
  'OrderReleased',
  z.object({ released_by: userId, reason: personal(text), why }),
  { version: 3, upcast: { 1: (data) => data, 2: (data) => data } },
);

/** Absent text: removed or erased. */
export const DeliveryInstructionChanged = eventType(
  'DeliveryInstructionChanged',
  z.object({ delivery_instruction: personal(text), changed_by: userId }),
);
export const OrderNoteChanged = eventType('OrderNoteChanged', z.object({ note: personal(text), changed_by: userId }));
/** The windows replace all earlier ones; absent members are unchanged. */
export const TimeWindowChanged = eventType(
  'TimeWindowChanged',
  z.object({ time_windows: z.array(timeWindowSchema).optional(), schedule_date: text.optional(), changed_by: userId }),
);

export const orderPlanningSchema = z.object({
  /** At each stop; absent: the value of the settings. */
  service_time_s: z.int().optional(),
  /** Codes of skills that driver and vehicle must have together. */
  required_skills: z.array(text).optional(),
  /** 0 to 9. If not all orders fit on a route, orders with higher priorities stay on it. */
  priority: z.int().optional(),
  /** Amounts of the business's custom capacities. */
  custom_sizes: z.array(z.object({ name: text, amount: z.number() })).optional(),
});
export type OrderPlanning = z.infer<typeof orderPlanningSchema>;
/** Planning data; replaces the earlier data. */
export const OrderPlanningSet = eventType('OrderPlanningSet', orderPlanningSchema.extend({ set_by: userId }));

/** `plan_id`: the committed plan. */
export const OrderPutOnRoute = eventType(
  'OrderPutOnRoute',
  z.object({ route_id: z.int(), put_by: userId, plan_id: z.int().optional() }),
);
/** `status`: the status after the removal. `moved`: the same append puts the order on another route. */
export const OrderTakenOffRoute = eventType(
  'OrderTakenOffRoute',
  z.object({ route_id: z.int(), why: z.enum(['removed', 'cancelled', 'moved']), status, taken_by: userId }),
);

/** A driver or office user scanned a package. */
export const PackageScanned = eventType(
  'PackageScanned',
  z.object({
    tracking_number: text,
    /** OTEP code. */
    status_code: text,
    /** RFC 3339 as received; `instant` is the same moment in UTC with nine fraction digits. */
    occurred_at: text,
    instant: text,
    /** User id of the driver, for a scan on the road; absent for a scan at an office. */
    driver_id: z.int().optional(),
    scanned_by: userId,
    /** OTEP incident reason. */
    reason_code: text.optional(),
    gps: personal(z.object({ latitude: z.number(), longitude: z.number() })),
    /** URLs of photos. */
    photos: personal(z.array(text)),
    note: personal(text),
    /** Place and scanner of a scan in a warehouse. */
    warehouse_id: z.int().optional(),
    location: text.optional(),
    site: siteOfScanSchema.optional(),
    ...scannerShape,
    /** Id of the conflict that the scan settles. */
    settles: text.optional(),
    ...returnShape,
  }),
  { version: 4, upcast: { 1: (data) => data, 2: (data) => data, 3: (data) => data } },
);

/** The scan of a package from which an order's event follows. */
const packageScan = {
  tracking_number: text,
  status_code: text,
  instant: text,
  scan: text.optional(),
  /** OTEP incident reason of a carrier's scan. */
  reason_code: text.optional(),
};

/**
 * A scan changed the order's status: a scan in the same append, or an event of a carrier's timeline (`scan`: its id).
 */
export const OrderStatusChanged = eventType(
  'OrderStatusChanged',
  z.object({ status, previous: status, ...packageScan }),
  { version: 2, upcast: { 1: (data) => data } },
);

/** One of several packages reached a final status while others have not. The order's status is unchanged. */
export const PackageEnded = eventType('PackageEnded', z.object(packageScan), {
  version: 2,
  upcast: { 1: (data) => data },
});

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
  ...THIRD_PARTY_EVENTS,
  OrderAssigned,
  AssignmentRevoked,
  AssignmentReleased,
  PackageScanned,
  OrderStatusChanged,
  PackageEnded,
  OrderGeocoded,
  ...WAREHOUSING_EVENTS,
  ...SCAN_CONFLICT_EVENTS,
  ...BILL_EVENTS,
] as const;

/** The order's status after an event; undefined if unchanged. Deciders and projections share it. */
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
    case PackageScanSuperseded.type:
      return data['status'] as OrderStatus | undefined;
    default:
      return undefined;
  }
}

/** The content of OrderCreated. */
export type NewOrderData = z.infer<typeof OrderCreated.schema>;
