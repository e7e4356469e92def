/** Position of a stop of an order, found by geocoding or set by a user. Events of the order's stream. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

/** Precision of a position. `city` is too imprecise for a route. */
export const PRECISIONS = ['rooftop', 'street', 'postal_code', 'city'] as const;
export type Precision = (typeof PRECISIONS)[number];

export const STOP_KINDS = ['pickup', 'delivery'] as const;
export type StopKind = (typeof STOP_KINDS)[number];

/** A user set the position; geocoders do not change it afterwards. */
export const BY_PERSON = 'person';

/** `geocoder`: `person`, `dataset`, or the name of a server. `record_id`: record in the dataset. */
export const positionSourceSchema = z.object({ geocoder: z.string(), record_id: z.int().optional() });
export type PositionSource = z.infer<typeof positionSourceSchema>;

export const OrderGeocoded = eventType(
  'OrderGeocoded',
  z.object({
    stop: z.enum(STOP_KINDS),
    /** WGS 84 degrees. */
    position: personal(z.object({ latitude: z.number(), longitude: z.number() })),
    precision: z.enum(PRECISIONS),
    /** 0 to 1. */
    confidence: z.number(),
    source: positionSourceSchema,
    set_by: z.int().optional(),
  }),
);
export type Geocoding = z.infer<typeof OrderGeocoded.schema>;
