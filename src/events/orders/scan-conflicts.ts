/** Events about scans that could not be applied, and about scans that were wrong. Events of the order's stream. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { PARCEL_STATES } from './parcels.js';
import { returnShape } from './returning.js';
import { ORDER_STATUS_NAMES, type OrderStatus } from './status.js';
import { TRANSFER_MARKS } from './warehousing.js';

const text = z.string();

/**
 * Why a scan contradicts the order: another driver had the order at the time of the scan, or the order or its package
 * has ended.
 */
export const CONFLICT_CODES = ['DRIVER_REPLACED', 'ORDER_CLOSED', 'ALREADY_DELIVERED'] as const;
export type ConflictCode = (typeof CONFLICT_CODES)[number];

/** A scan that could not be applied. It is kept with its content until an office settles it. */
export const PackageScanKept = eventType(
  'PackageScanKept',
  z.object({
    /** Id of the conflict: the id of this event. */
    conflict_id: text,
    order_id: z.int(),
    business: z.int(),
    code: z.enum(CONFLICT_CODES),
    tracking_number: text,
    /** OTEP code. */
    status_code: text,
    /** RFC 3339 as received; `instant` is the same moment in UTC with nine fraction digits. */
    occurred_at: text,
    instant: text,
    driver_id: z.int().optional(),
    scanned_by: z.int().optional(),
    /** A carrier's scan: its provider, and the id of the timeline's event that contains it. */
    provider: text.optional(),
    timeline_event: text.optional(),
    reason_code: text.optional(),
    gps: personal(z.object({ latitude: z.number(), longitude: z.number() })),
    photos: personal(z.array(text)),
    note: personal(text),
    ...returnShape,
  }),
  { version: 2, upcast: { 1: (data) => data } },
);
export type ScanConflict = z.infer<typeof PackageScanKept.schema>;

export const SCAN_DECISIONS = ['apply', 'discard'] as const;
export type ScanDecision = (typeof SCAN_DECISIONS)[number];

/** An office decided on the conflict. `apply`: the same append contains the scan and its effect. */
export const PackageScanSettled = eventType(
  'PackageScanSettled',
  z.object({
    conflict_id: text,
    decision: z.enum(SCAN_DECISIONS),
    reason: personal(text),
    settled_by: z.int().optional(),
  }),
);

const parcel = z.object({
  state: z.enum(PARCEL_STATES),
  warehouse_id: z.int().optional(),
  location: text.optional(),
  route_id: z.int().optional(),
  bay: text.optional(),
  transfer: z
    .object({
      id: z.int(),
      step: z.enum(TRANSFER_MARKS),
      was: z.object({ warehouse_id: z.int().optional(), own_warehouse_id: z.int().optional() }),
    })
    .optional(),
  since: text.optional(),
});

/**
 * A scan was wrong, and no longer counts. The scan itself stays in the log. The members describe the order without it:
 * its status and the parcel's place if they change, and the newest scans that remain.
 */
export const PackageScanSuperseded = eventType(
  'PackageScanSuperseded',
  z.object({
    /** Event id of the scan; for a carrier's scan, id of the timeline's event. */
    scan_id: text,
    tracking_number: text,
    status: z.enum(ORDER_STATUS_NAMES as [OrderStatus, ...OrderStatus[]]).optional(),
    parcel: parcel.optional(),
    /** The newest remaining scan of the order. */
    last_scan: z
      .object({ status_code: text, instant: text, reason_code: text.optional(), driver_id: z.int().optional() })
      .optional(),
    /** OTEP code of the newest remaining scan of the package. */
    last_package_scan: text.optional(),
    reason: personal(text),
    /** User id; absent: the carrier retracted its scan. */
    superseded_by: z.int().optional(),
  }),
);

export const SCAN_CONFLICT_EVENTS = [PackageScanKept, PackageScanSettled, PackageScanSuperseded] as const;
