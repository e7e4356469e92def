/** Address and contact of a pickup or delivery stop. */
import { z } from 'zod';
import { personal } from '../core/event-types.js';

const text = z.string();

/**
 * Members that identify a person or a door are personal. The area is not, because filters, digests and prices use it.
 */
export const stopSchema = z.object({
  name: personal(text),
  company: personal(text),
  /** As entered. */
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
