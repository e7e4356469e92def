/** Points of interest as they come in and go out. */
import { z } from 'zod';
import { compact } from '../../../events/core/compact.js';
import { poiStream, VISIBILITIES } from '../../../events/pois/events.js';
import type { Via } from '../../../projections/alliances/open.js';
import type { Poi } from '../../../projections/pois/queries.js';
import { positionInput, positionSchema } from '../../core/geo.js';
import { ownVersionSchema, versionBy } from '../../core/versions.js';
import { viaSchema } from '../alliances/taking.js';
import { stopInput } from '../orders/input.js';
import { stopSchema } from '../orders/output.js';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/);
export const openingHours = z
  .array(z.strictObject({ day: z.int().min(1).max(7).describe('1 is Monday.'), from: clock, to: clock }))
  .max(28)
  .describe('`HH:MM` at the place.');
export const categoryInput = z
  .string()
  .regex(/^[a-z0-9_]{1,40}$/)
  .describe('What the business calls such places, as `pickup_point`.');
export const tagsInput = z.array(z.string().trim().min(1).max(40)).max(20);
export const placeInput = {
  name: z.string().trim().min(1).max(200),
  category: categoryInput,
  position: positionInput.describe('WGS 84 degrees.'),
  address: stopInput
    .pick({ street: true, street_2: true, city: true, region: true, postal_code: true, country: true })
    .partial()
    .optional(),
  opening_hours: openingHours.default([]),
  phone: stopInput.shape.phone.unwrap().or(z.literal('')).optional().describe('Empty: none any more.'),
  note: z.string().trim().max(2_000).optional().describe('For people of the business alone. Empty: none any more.'),
  tags: tagsInput.default([]),
  radius_m: z.int().min(1).max(50_000).optional().describe('Whoever is this near is there.'),
  visibility: z
    .enum(VISIBILITIES)
    .default('business')
    .describe(
      '`alliance`: shown to partners, too, that were granted the `network`; `public`: also to customers, and on maps that are published.',
    ),
  external_ref: z.string().trim().min(1).max(100).optional().describe('What another system knows it by.'),
};

export const poiSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    category: z.string(),
    position: positionSchema,
    address: stopSchema.optional(),
    opening_hours: z.array(z.object({ day: z.int(), from: z.string(), to: z.string() })),
    phone: z.string().optional(),
    note: z.string().optional(),
    tags: z.array(z.string()),
    radius_m: z.int().optional(),
    visibility: z.enum(VISIBILITIES),
    external_ref: z.string().optional(),
    distance_m: z.int().optional().describe('From where one asked.'),
    version: ownVersionSchema,
    via_alliance: viaSchema,
  })
  .meta({ id: 'PointOfInterest' });

export const POI_VERSION = versionBy('poi_id', poiStream);

/** Notes and numbers of other systems are for the business's own people: partners (`via`) see what customers see. */
export function toPoi(poi: Poi, forOthers: boolean, via?: Via): z.infer<typeof poiSchema> {
  const { name, category, position, opening_hours, tags, visibility } = poi;
  const { id, address, phone, note, radius_m, external_ref, metres, revision } = poi;
  return compact({
    id,
    name,
    category,
    position,
    address,
    opening_hours,
    phone: phone || undefined,
    note: forOthers ? undefined : note || undefined,
    tags,
    radius_m,
    visibility,
    external_ref: forOthers ? undefined : external_ref || undefined,
    distance_m: metres === undefined ? undefined : Math.round(metres),
    version: forOthers ? undefined : revision,
    via_alliance: via,
  });
}
