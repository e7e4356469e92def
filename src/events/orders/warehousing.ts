/** What happens to an order and its parcels in warehouses. Events of the order's stream. */
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

/** Where a scan was made, as it was called then; nobody's door. */
export const siteOfScanSchema = z.object({
  name: text.optional(),
  city: text.optional(),
  region: text.optional(),
  country: text.optional(),
});
export type SiteOfScan = z.infer<typeof siteOfScanSchema>;

export const QUARANTINE_REASONS = ['damaged', 'unreadable', 'wrong_address', 'prohibited', 'other'] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

/** The scan of a device that said so: what comes again under the same id counts once. */
export const scannerShape = { op_id: text.optional(), device_id: text.optional() };
const handled = {
  tracking_number: text,
  warehouse_id: z.int(),
  /** When it was done: UTC with nine fraction digits. */
  instant: text,
  by: z.int().optional(),
  ...scannerShape,
};

/** `quarantine`: why it is kept apart. */
export const ParcelPutAway = eventType(
  'ParcelPutAway',
  z.object({ ...handled, location: text, quarantine: z.enum(QUARANTINE_REASONS).optional() }),
);
export const ParcelSorted = eventType('ParcelSorted', z.object({ ...handled, route_id: z.int(), bay: text }));
export const ParcelLoaded = eventType('ParcelLoaded', z.object({ ...handled, route_id: z.int() }));
/**
 * It is not where it should be. Without `found` nobody finds it, and `expected` is the place that it should be at; with
 * it the parcel was received in a warehouse that is not its order's own (warehouse R5), and both are codes of warehouses.
 */
export const ParcelMisplaced = eventType(
  'ParcelMisplaced',
  z.object({ ...handled, expected: text.optional(), found: text.optional() }),
);
/** Handed out at the dock: to a carrier, to the sender, or for good. */
export const ParcelTakenOut = eventType('ParcelTakenOut', z.object(handled));

export const TRANSFER_MARKS = ['booked', 'marked', 'shipped', 'arrived', 'missing', 'returned'] as const;
/** A step of a transfer with this parcel. `was`: where it was, and its order's own warehouse, before the first one. */
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
