/** Events of an order and its parcels in warehouses. Events of the order's stream. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

const text = z.string();

export const WAREHOUSE_SET_WHYS = ['created', 'corrected', 'transfer', 'rollback'] as const;
export type WarehouseSetWhy = (typeof WAREHOUSE_SET_WHYS)[number];

/** The warehouse in which the order starts (`D`) or ends (`P`). */
export const OrderWarehouseSet = eventType(
  'OrderWarehouseSet',
  z.object({
    warehouse_id: z.int(),
    why: z.enum(WAREHOUSE_SET_WHYS),
    transfer_id: z.int().optional(),
    set_by: z.int().optional(),
  }),
);

/** Site of a scan, with its name at that time. Never the address of a person. */
export const siteOfScanSchema = z.object({
  name: text.optional(),
  city: text.optional(),
  region: text.optional(),
  country: text.optional(),
});
export type SiteOfScan = z.infer<typeof siteOfScanSchema>;

export const QUARANTINE_REASONS = ['damaged', 'unreadable', 'wrong_address', 'prohibited', 'other'] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

/** The scanner operation that recorded the event: a repetition with the same id counts once. */
export const scannerShape = { op_id: text.optional(), device_id: text.optional() };
const handled = {
  tracking_number: text,
  warehouse_id: z.int(),
  /** Time of the handling: UTC with nine fraction digits. */
  instant: text,
  by: z.int().optional(),
  ...scannerShape,
};

/** `quarantine`: reason for the quarantine. */
export const ParcelPutAway = eventType(
  'ParcelPutAway',
  z.object({ ...handled, location: text, quarantine: z.enum(QUARANTINE_REASONS).optional() }),
);
export const ParcelSorted = eventType('ParcelSorted', z.object({ ...handled, route_id: z.int(), bay: text }));
export const ParcelLoaded = eventType('ParcelLoaded', z.object({ ...handled, route_id: z.int() }));
/**
 * The parcel is not where it should be. Without `found`, it is missing, and `expected` is its expected location. With
 * `found`, it was received in a warehouse that is not its order's own (warehouse R5), and both are warehouse codes.
 */
export const ParcelMisplaced = eventType(
  'ParcelMisplaced',
  z.object({ ...handled, expected: text.optional(), found: text.optional() }),
);
/** Handed over at the dock: to a carrier, to the sender, or permanently. */
export const ParcelTakenOut = eventType('ParcelTakenOut', z.object(handled));

export const TRANSFER_MARKS = ['booked', 'marked', 'shipped', 'arrived', 'missing', 'returned'] as const;
/**
 * A step of a transfer with this parcel. `was`: its warehouse, and its order's own warehouse, before the first step.
 */
export const ParcelTransferred = eventType(
  'ParcelTransferred',
  z.object({
    tracking_number: text,
    transfer_id: z.int(),
    step: z.enum(TRANSFER_MARKS),
    from: z.int(),
    to: z.int(),
    instant: text,
    was: z.object({ warehouse_id: z.int().optional(), own_warehouse_id: z.int().optional() }).optional(),
    by: z.int().optional(),
  }),
);

export const WAREHOUSING_EVENTS = [
  OrderWarehouseSet,
  ParcelPutAway,
  ParcelSorted,
  ParcelLoaded,
  ParcelMisplaced,
  ParcelTakenOut,
  ParcelTransferred,
] as const;
