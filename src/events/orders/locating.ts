/** Where a stop of an order is, as it was found or as a person said. Events of the order's stream. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

/** How near a position is to the door; what is only in the city is no place to drive to. */
export const PRECISIONS = ['rooftop', 'street', 'postal_code', 'city'] as const;
export type Precision = (typeof PRECISIONS)[number];

export const STOP_KINDS = ['pickup', 'delivery'] as const;
export type StopKind = (typeof STOP_KINDS)[number];

/** A person moved the pin: no geocoder says otherwise after that. */
export const BY_PERSON = 'person';

/** `geocoder`: `person`, `dataset`, or the name of a server; `record_id`: in the dataset. */
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
