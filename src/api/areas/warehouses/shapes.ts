/** Warehouses and their locations in requests and responses. */
import { z } from 'zod';
import { timezoneSchema } from '../../../events/businesses/events.js';
import { LOCATION_KINDS, warehouseStream } from '../../../events/warehouses/events.js';
import type { Warehouse } from '../../../projections/warehouses/queries.js';
import type { Via } from '../../../projections/alliances/active-grants.js';
import type { SharedWarehouse } from '../../../projections/warehouses/shared.js';
import { viaSchema } from '../alliances/grantee.js';
import { stopInput } from '../orders/input.js';
import { areaOf, stopSchema } from '../orders/output.js';
import { ownVersionSchema, versionBy } from '../../core/versions.js';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/);
export const locationCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{1,40}$/)
  .describe('Letters, digits, hyphen, dot and underscore.');
export const openingInput = z
  .strictObject({ day: z.int().min(1).max(7).describe('Day of the week; 1 is Monday.'), from: clock, to: clock })
  .meta({ id: 'OpeningHoursInput' });
export const siteInput = {
  name: z.string().trim().min(1).max(100),
  address: stopInput.partial({ name: true }).meta({ id: 'SiteAddressInput' }),
  timezone: timezoneSchema,
  opening_hours: z.array(openingInput).max(28).default([]),
  dock_minutes: z.int().min(0).max(1_440).default(0).describe('Minutes that a vehicle spends at the dock.'),
  contact: z.string().trim().min(1).max(200).optional(),
};
const zone = z.string().trim().min(1).max(40);
const kind = z.enum(LOCATION_KINDS);
const capacity = z.number().min(0).max(1e9);
const sequence = z.int().min(0).max(1_000_000).describe('Position in the sequence in which staff walk the locations.');
export const locationInput = z
  .strictObject({
    code: locationCode,
    zone: zone.default('-'),
    kind: kind.default('storage'),
    capacity: capacity.optional(),
    sequence: sequence.default(0),
  })
  .meta({ id: 'WarehouseLocationInput' });
/** Fields of a PATCH of a location. */
export const locationChanges = {
  zone: zone.optional(),
  kind: kind.optional(),
  capacity: capacity.nullable().optional(),
  sequence: sequence.optional(),
};

const OWN_ONLY = "Present only for warehouses of the caller's business.";

export const openingSchema = z.object({ day: z.int(), from: z.string(), to: z.string() }).meta({ id: 'OpeningHours' });
export const locationSchema = z
  .object({
    code: z.string(),
    zone: z.string(),
    kind: z.enum(LOCATION_KINDS),
    capacity: z.number().optional(),
    sequence: z.int(),
    blocked: z.string().optional().describe('Reason why the location is blocked.'),
  })
  .meta({ id: 'WarehouseLocation' });

/** A batch is stored as a whole or not at all: an error rejects the request. */
export const locationResultSchema = z
  .object({ index: z.int().describe('Index in the request, from 0.'), result: z.boolean(), location: locationSchema })
  .meta({ id: 'LocationResult' });
export const warehouseSchema = z
  .object({
    id: z.int(),
    code: z.string().optional().describe(OWN_ONLY),
    name: z.string(),
    address: stopSchema.describe('Address of the warehouse. For a warehouse of a partner, it contains only the area.'),
    timezone: z.string(),
    opening_hours: z.array(openingSchema),
    dock_minutes: z.int().optional().describe(OWN_ONLY),
    contact: z.string().optional().describe(OWN_ONLY),
    status: z.enum(['open', 'closed']),
    is_default: z.boolean().optional().describe(`True if new orders start or end here by default. ${OWN_ONLY}`),
    location_count: z.int().optional().describe(OWN_ONLY),
    on_hand_package_count: z.int().optional().describe(`Number of parcels of orders in the warehouse. ${OWN_ONLY}`),
    locations: z
      .array(locationSchema)
      .optional()
      .describe(
        "Locations in walking sequence. Present only in the response with a single warehouse of the caller's business.",
      ),
    version: ownVersionSchema,
    via_alliance: viaSchema,
  })
  .meta({ id: 'Warehouse' });

export const WAREHOUSE_VERSION = versionBy('warehouse_id', warehouseStream);
export interface WarehouseUsage {
  readonly byDefault: number | undefined;
  readonly onHand: ReadonlyMap<number, number>;
}

export const toWarehouse = (
  one: Warehouse,
  { byDefault, onHand }: WarehouseUsage,
): z.infer<typeof warehouseSchema> => ({
  id: one.id,
  code: one.code,
  name: one.name ?? '',
  address: one.address ?? {},
  timezone: one.timezone ?? 'UTC',
  opening_hours: one.opening ?? [],
  dock_minutes: one.dock_minutes ?? 0,
  ...(one.contact && { contact: one.contact }),
  status: one.closed ? 'closed' : 'open',
  is_default: one.id === byDefault,
  location_count: Object.keys(one.locations).length,
  on_hand_package_count: onHand.get(one.id) ?? 0,
  version: one.revision,
});

/** Converts a site to the form of events: `opening_hours` is stored as `opening`. */
export const toSite = <T extends { readonly opening_hours?: unknown }>({ opening_hours, ...site }: T) => ({
  ...site,
  ...(opening_hours !== undefined && { opening: opening_hours }),
});

/** The data that partners see for planning: approximate place and opening hours. */
export const toPartnersWarehouse = (one: SharedWarehouse, via: Via): z.infer<typeof warehouseSchema> => ({
  id: one.id,
  name: one.name ?? '',
  address: areaOf(one.address) ?? {},
  timezone: one.timezone ?? 'UTC',
  opening_hours: one.opening ?? [],
  status: 'open',
  via_alliance: via,
});
