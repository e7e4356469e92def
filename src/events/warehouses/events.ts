/** What happens to a warehouse. Stream `warehouse-<id>`, which is also the subject of its personal data. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { stopSchema } from '../orders/address.js';

export const WAREHOUSE_PREFIX = 'warehouse-';
export const warehouseStream = (id: number): string => `${WAREHOUSE_PREFIX}${id}`;

export const LOCATION_KINDS = ['dock', 'receiving', 'storage', 'staging', 'quarantine'] as const;
export type LocationKind = (typeof LOCATION_KINDS)[number];

const site = {
  name: z.string(),
  address: stopSchema,
  /** Of the IANA database. */
  timezone: z.string(),
  /** By weekday, local time `HH:MM`. */
  opening: z.array(z.object({ day: z.int(), from: z.string(), to: z.string() })),
  /** How long a vehicle stays at the dock. */
  dock_minutes: z.int(),
  /** Who is asked for at the gate. */
  contact: personal(z.string()),
};
export const siteSchema = z.object(site);
export type Site = z.infer<typeof siteSchema>;

export const locationSchema = z.object({
  code: z.string(),
  zone: z.string(),
  kind: z.enum(LOCATION_KINDS),
  capacity: z.number().optional(),
  /** In which order locations are walked. */
  sequence: z.int(),
});
export type Location = z.infer<typeof locationSchema>;

export const WarehouseOpened = eventType(
  'WarehouseOpened',
  z.object({ warehouse_id: z.int(), business: z.int(), code: z.string(), ...site }),
);
/** Absent members stay as they were. */
export const WarehouseChanged = eventType('WarehouseChanged', siteSchema.partial());
/** New orders start or end here unless they say otherwise; of several the last one that was made so. */
export const WarehouseMadeDefault = eventType('WarehouseMadeDefault', z.object({}));
export const WarehouseClosed = eventType('WarehouseClosed', z.object({}));
/** New ones, and those of the same code as they are now. */
export const LocationsPut = eventType('LocationsPut', z.object({ locations: z.array(locationSchema) }));
export const LocationsRemoved = eventType('LocationsRemoved', z.object({ codes: z.array(z.string()) }));
export const LocationBlocked = eventType('LocationBlocked', z.object({ code: z.string(), reason: z.string() }));
/** Where the parcels of a route gather on its day. */
export const BayGiven = eventType('BayGiven', z.object({ route_id: z.int(), date: z.string(), bay: z.string() }));
/** What a scanner did, and was refused or in doubt, is settled by a person. */
export const ScanConflictSettled = eventType(
  'ScanConflictSettled',
  z.object({
    op_id: z.string(),
    device_id: z.string(),
    decision: z.enum(['applied', 'discarded']),
    reason: personal(z.string()),
    by: z.int(),
  }),
);
export const LocationUnblocked = eventType('LocationUnblocked', z.object({ code: z.string() }));

export const WAREHOUSE_EVENTS = [
  WarehouseOpened,
  WarehouseChanged,
  WarehouseMadeDefault,
  WarehouseClosed,
  LocationsPut,
  LocationsRemoved,
  LocationBlocked,
  LocationUnblocked,
  BayGiven,
  ScanConflictSettled,
] as const;
