/** Points of interest in requests and responses. */
import { z } from 'zod';
import { compact } from '../../../events/core/compact.js';
import { poiStream, VISIBILITIES } from '../../../events/pois/events.js';
import type { Via } from '../../../projections/alliances/active-grants.js';
import type { Poi } from '../../../projections/pois/queries.js';
import { clearable, emptied } from '../../core/clearing.js';
import { positionInput, positionSchema } from '../../core/geo.js';
import { ownVersionSchema, versionBy } from '../../core/versions.js';
import { viaSchema } from '../alliances/grantee.js';
import { openingInput, openingSchema } from '../warehouses/shapes.js';
import { stopInput } from '../orders/input.js';
import { stopSchema } from '../orders/output.js';

export const openingHours = z
  .array(openingInput)
  .max(28)
  .describe('Opening hours, `HH:MM` in local time of the place.');
export const categoryInput = z
  .string()
  .regex(/^[a-z0-9_]{1,40}$/)
  .describe('Category that the business defines, for example `pickup_point`.');
export const tagsInput = z.array(z.string().trim().min(1).max(40)).max(20);
export const placeInput = {
  name: z.string().trim().min(1).max(200),
  category: categoryInput,
  position: positionInput.describe('Coordinates in WGS 84 degrees.'),
  address: stopInput
    .pick({ street: true, street_2: true, city: true, region: true, postal_code: true, country: true })
    .partial()
    .meta({ id: 'PlaceAddressInput' })
    .optional(),
  opening_hours: openingHours.default([]),
  phone: stopInput.shape.phone
    .unwrap()
    .or(z.literal(''))
    .optional()
    .describe('Phone number. An empty text removes the phone number.'),
  note: z
    .string()
    .trim()
    .max(2_000)
    .optional()
    .describe('Note that only users of the business can read. An empty text removes the note.'),
  tags: tagsInput.default([]),
  radius_m: z.int().min(1).max(50_000).optional().describe('Radius in metres within which a person counts as arrived.'),
  visibility: z
    .enum(VISIBILITIES)
    .default('business')
    .describe(
      '`business`: only users of the business. `alliance`: also partners with the grant `network`. `public`: also customers, and everyone on published maps.',
    ),
  external_ref: z.string().trim().min(1).max(100).optional().describe('Id of the place in another system.'),
};

/** Members that a PATCH clears with `null`. */
export const clearedPlace = {
  address: placeInput.address.unwrap().nullable().optional(),
  phone: clearable(placeInput.phone.unwrap()),
  note: clearable(placeInput.note.unwrap()),
  radius_m: placeInput.radius_m.unwrap().nullable().optional(),
  external_ref: clearable(placeInput.external_ref.unwrap()),
};

/** Events store empty values for cleared members. */
export function toChangedPlace<Input extends z.infer<z.ZodObject<typeof clearedPlace>>>(changed: Input) {
  const { address, radius_m, ...place } = emptied(changed, 'phone', 'note', 'external_ref');
  return compact({ ...place, address: address === null ? {} : address, radius_m: radius_m === null ? 0 : radius_m });
}

export const poiSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    category: z.string(),
    position: positionSchema,
    address: stopSchema.optional(),
    opening_hours: z.array(openingSchema),
    phone: z.string().optional(),
    note: z.string().optional(),
    tags: z.array(z.string()),
    radius_m: z.int().optional(),
    visibility: z.enum(VISIBILITIES),
    external_ref: z.string().optional(),
    distance_m: z.int().optional().describe('Distance in metres from the position in the request.'),
    version: ownVersionSchema,
    via_alliance: viaSchema,
  })
  .meta({ id: 'PointOfInterest' });

export const POI_VERSION = versionBy('poi_id', poiStream);

/** Notes and ids of other systems are only for users of the business: partners (`via`) see what customers see. */
export function toPoi(poi: Poi, publicOnly: boolean, via?: Via): z.infer<typeof poiSchema> {
  const { name, category, position, opening_hours, tags, visibility } = poi;
  const { id, address, phone, note, radius_m, external_ref, metres, revision } = poi;
  return compact({
    id,
    name,
    category,
    position,
    address: address && Object.keys(address).length > 0 ? address : undefined,
    opening_hours,
    phone: phone || undefined,
    note: publicOnly ? undefined : note || undefined,
    tags,
    radius_m: radius_m || undefined,
    visibility,
    external_ref: publicOnly ? undefined : external_ref || undefined,
    distance_m: metres === undefined ? undefined : Math.round(metres),
    version: publicOnly ? undefined : revision,
    via_alliance: via,
  });
}
