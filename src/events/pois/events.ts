/**
 * Events of a point of interest: a place that is used by many people. Stream `poi-<id>`, which is also the key subject
 * of its personal data: street and contact.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { stopSchema } from '../orders/address.js';

export const POI_PREFIX = 'poi-';
export const poiStream = (id: number): string => `${POI_PREFIX}${id}`;

/**
 * `alliance`: also visible to partners with a `network` grant. `public`: also visible to customers, and may be shown on
 * a public map.
 */
export const VISIBILITIES = ['business', 'alliance', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

const place = {
  name: z.string(),
  /** Category of the business: `depot`, `pickup_point`. */
  category: z.string(),
  /** WGS 84 degrees. */
  position: z.object({ latitude: z.number(), longitude: z.number() }),
  /** Without members: removed. */
  address: stopSchema.optional(),
  /** By weekday, `HH:MM` in local time. */
  opening_hours: z.array(z.object({ day: z.int(), from: z.string(), to: z.string() })),
  /** Empty: removed. */
  phone: personal(z.string()),
  /** For staff of the business only: door codes, contacts. Empty: removed. */
  note: personal(z.string()),
  tags: z.array(z.string()),
  /** Radius within which a driver counts as arrived. 0: removed. */
  radius_m: z.int().optional(),
  visibility: z.enum(VISIBILITIES),
  /** Id of the place in another system. Empty: removed. */
  external_ref: z.string().optional(),
};
export const placeSchema = z.object(place);
export type Place = z.infer<typeof placeSchema>;

export const PoiCreated = eventType('PoiCreated', z.object({ poi_id: z.int(), business: z.int(), ...place }));
/** Absent members are unchanged. */
export const PoiChanged = eventType('PoiChanged', placeSchema.partial());
export const PoiArchived = eventType('PoiArchived', z.object({}));

export const POI_EVENTS = [PoiCreated, PoiChanged, PoiArchived] as const;
