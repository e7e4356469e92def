/**
 * Events of a transfer of parcels between warehouses. Stream `transfer-<id>`, which is also the key subject of texts
 * that users wrote. The effect on a parcel is recorded in the stream of the parcel's order, which decides.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const TRANSFER_PREFIX = 'transfer-';
export const transferStream = (id: number): string => `${TRANSFER_PREFIX}${id}`;

/** `book`: only the records are corrected. `ship`: the parcels are driven to the other warehouse. */
export const TRANSFER_MODES = ['book', 'ship'] as const;
export type TransferMode = (typeof TRANSFER_MODES)[number];
export const TRANSFER_REASONS = ['mis_received', 'mis_sorted', 'relocation', 'other'] as const;
export type TransferReason = (typeof TRANSFER_REASONS)[number];

const by = z.int();
const tracking_number = z.string();
const one = z.object({ tracking_number });
const refused = z.object({ tracking_number, code: z.string() });

export const TransferCreated = eventType(
  'TransferCreated',
  z.object({
    transfer_id: z.int(),
    business: z.int(),
    from: z.int(),
    to: z.int(),
    mode: z.enum(TRANSFER_MODES),
    reason_code: z.enum(TRANSFER_REASONS),
    note: personal(z.string()),
    packages: z.array(z.object({ order_id: z.int(), tracking_number })),
    by,
  }),
);
export const TransferShipped = eventType(
  'TransferShipped',
  z.object({ seal: z.string().optional(), vehicle: personal(z.string()), by }),
);
export const TransferArrivalScanned = eventType(
  'TransferArrivalScanned',
  z.object({ tracking_numbers: z.array(z.string()), by }),
);
export const TransferCompleted = eventType('TransferCompleted', z.object({ arrived: z.int(), missing: z.int(), by }));
export const TransferRollbackBegun = eventType(
  'TransferRollbackBegun',
  z.object({ tracking_numbers: z.array(z.string()), reason: personal(z.string()), by }),
);
export const TransferRolledBack = eventType('TransferRolledBack', z.object({ rolled_back: z.int(), kept: z.int() }));

/** Results of a step for one parcel. */
export const TransferPackageMoved = eventType('TransferPackageMoved', one);
export const TransferPackageMarked = eventType('TransferPackageMarked', one);
export const TransferPackageRefused = eventType('TransferPackageRefused', refused);
export const TransferPackageShipped = eventType('TransferPackageShipped', one);
export const TransferPackageArrived = eventType('TransferPackageArrived', one);
export const TransferPackageMissing = eventType('TransferPackageMissing', one);
export const TransferPackageRolledBack = eventType('TransferPackageRolledBack', one);
/** The parcel was handled after the transfer, so it was not rolled back; `code`: the reason. */
export const TransferPackageKeptBack = eventType('TransferPackageKeptBack', refused);

export const TRANSFER_EVENTS = [
  TransferCreated,
  TransferShipped,
  TransferArrivalScanned,
  TransferCompleted,
  TransferRollbackBegun,
  TransferRolledBack,
  TransferPackageMoved,
  TransferPackageMarked,
  TransferPackageRefused,
  TransferPackageShipped,
  TransferPackageArrived,
  TransferPackageMissing,
  TransferPackageRolledBack,
  TransferPackageKeptBack,
] as const;
