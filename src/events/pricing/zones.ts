/** Zones of a rate card. The first zone that contains an address is the zone of the address. */
import { z } from 'zod';
import { withFormat } from '../core/format.js';
import { codeSchema, countrySchema, MAX_KM, measureSchema, positionSchema, regionSchema } from './values.js';

const postalCodeSchema = withFormat(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 -]{0,19}$/),
  'letters, digits, spaces and hyphens, at most 20 characters',
);

/** All members of a match must hold. Postal codes are compared in upper case, without spaces and hyphens. */
export const zoneMatchSchema = z
  .strictObject({
    country: countrySchema,
    /** Both or none. A postal code of another length is outside the range. */
    postal_from: postalCodeSchema.optional(),
    postal_to: postalCodeSchema.optional(),
    postal_prefix: postalCodeSchema.optional(),
    region: regionSchema.optional(),
    circle: z.strictObject({ ...positionSchema.shape, km: measureSchema(MAX_KM) }).optional(),
    /** One ring. The last position may repeat the first. Its edges do not cross the 180th meridian. */
    polygon: z.array(positionSchema).min(3).max(200).optional(),
  })
  .refine((match) => (match.postal_from === undefined) === (match.postal_to === undefined), {
    path: ['postal_to'],
    message: 'postal_from and postal_to occur together',
  });
export type ZoneMatch = z.infer<typeof zoneMatchSchema>;

export const zoneSchema = z.strictObject({ code: codeSchema, match: z.array(zoneMatchSchema).min(1) });
export type Zone = z.infer<typeof zoneSchema>;

/** Every place, including places outside all zones. */
export const ANY_ZONE = '*';
/** Lane of every shipment of a card without lanes. */
export const ONLY_LANE = '*';

const zoneOrAny = z.union([codeSchema, z.literal(ANY_ZONE)]);

/** The lane of a shipment is the first one whose zones contain its addresses. Without `service`: for all services. */
export const laneSchema = z.strictObject({
  from: zoneOrAny,
  to: zoneOrAny,
  lane: codeSchema,
  service: codeSchema.optional(),
});
export type Lane = z.infer<typeof laneSchema>;
