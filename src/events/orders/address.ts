/** Where an order is collected or handed over, and whom one meets there. */
import { z } from 'zod';
import { personal } from '../core/event-types.js';

const text = z.string();

/** What names a person or a door is personal; the area is not: filters, digests and prices go by it. */
export const stopSchema = z.object({
  name: personal(text),
  company: personal(text),
  /** As it was given. */
  phone: personal(text),
  email: personal(text),
  street: personal(text),
  /** Flat, floor, entrance. */
  street_2: personal(text),
  /** Exact coordinates of the door, WGS 84 degrees. */
  position: personal(z.object({ latitude: z.number(), longitude: z.number() })),
  city: text.optional(),
  region: text.optional(),
  postal_code: text.optional(),
  /** ISO 3166-1 alpha-2. */
  country: text.optional(),
});
export type Stop = z.infer<typeof stopSchema>;
