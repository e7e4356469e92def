/** Events of a warehouse. Stream `warehouse-<id>`, which is also the key subject of its personal data. */
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
  /** IANA time zone name. */
  timezone: z.string(),
  /** By weekday, local time `HH:MM`. */
  opening: z.array(z.object({ day: z.int(), from: z.string(), to: z.string() })),
  /** Time that a vehicle stays at the dock, in minutes. */
  dock_minutes: z.int(),
  /** Contact at the gate. Empty: removed. */
  contact: personal(z.string()),
};
export const siteSchema = z.object(site);
export type Site = z.infer<typeof siteSchema>;

export const locationSchema = z.object({
  code: z.string(),
  zone: z.string(),
  kind: z.enum(LOCATION_KINDS),
  capacity: z.number().optional(),
  /** Position of the location on the walking route. */
  sequence: z.int(),
});
export type Location = z.infer<typeof locationSchema>;

export const WarehouseOpened = eventType(
  'WarehouseOpened',
  z.object({ warehouse_id: z.int(), business: z.int(), code: z.string(), ...site }),
);
/** Absent members are unchanged. */
export const WarehouseChanged = eventType('WarehouseChanged', siteSchema.partial());
/**
 * New orders start or end here unless they name another warehouse. The last warehouse with this event is the default.
 */
export const WarehouseMadeDefault = eventType('WarehouseMadeDefault', z.object({}));
export const WarehouseClosed = eventType('WarehouseClosed', z.object({}));
/** New locations, and the new state of existing ones with the same code. */
export const LocationsPut = eventType('LocationsPut', z.object({ locations: z.array(locationSchema) }));
export const LocationsRemoved = eventType('LocationsRemoved', z.object({ codes: z.array(z.string()) }));
export const LocationBlocked = eventType('LocationBlocked', z.object({ code: z.string(), reason: z.string() }));
/** The bay where the parcels of a route are collected on its day. */
export const BayGiven = eventType('BayGiven', z.object({ route_id: z.int(), date: z.string(), bay: z.string() }));
/** A user settled a scanner operation that was rejected or in conflict. */
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
