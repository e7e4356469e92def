/**
 * What happens to a point of interest: a place that many people go to. Stream `poi-<id>`, which is also the subject of
 * its personal data: the street, and whom one calls or asks for there.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { stopSchema } from '../orders/address.js';

export const POI_PREFIX = 'poi-';
export const poiStream = (id: number): string => `${POI_PREFIX}${id}`;

/**
 * `alliance`: partners see it, too, as far as they were granted the network. `public`: so do customers, and it may
 * appear on a public map.
 */
export const VISIBILITIES = ['business', 'alliance', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

const place = {
  name: z.string(),
  /** What its business calls such places: `depot`, `pickup_point`. */
  category: z.string(),
  /** WGS 84 degrees. */
  position: z.object({ latitude: z.number(), longitude: z.number() }),
  address: stopSchema.optional(),
  /** By weekday, `HH:MM` at the place. */
  opening_hours: z.array(z.object({ day: z.int(), from: z.string(), to: z.string() })),
  /** Empty: none any more. */
  phone: personal(z.string()),
  /** For the business's own people: codes of doors, whom to ask for. Empty: none any more. */
  note: personal(z.string()),
  tags: z.array(z.string()),
  /** Whoever is this near is there. */
  radius_m: z.int().optional(),
  visibility: z.enum(VISIBILITIES),
  /** What another system knows it by. */
  external_ref: z.string().optional(),
};
export const placeSchema = z.object(place);
export type Place = z.infer<typeof placeSchema>;

export const PoiCreated = eventType('PoiCreated', z.object({ poi_id: z.int(), business: z.int(), ...place }));
/** Absent members stay as they were. */
export const PoiChanged = eventType('PoiChanged', placeSchema.partial());
export const PoiArchived = eventType('PoiArchived', z.object({}));

export const POI_EVENTS = [PoiCreated, PoiChanged, PoiArchived] as const;
