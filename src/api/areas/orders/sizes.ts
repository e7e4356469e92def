/** Weight and dimensions of a package. Stored events omit the units; in the API, field names contain them. */
import { z } from 'zod';
import type { Package } from '../../../events/orders/contents.js';

const weight = z.number().positive().max(100_000).optional().describe('Kilograms.');
const side = z.number().positive().max(10_000).optional().describe('Centimetres.');

export const sizesInput = z.object({ weight_kg: weight, length_cm: side, width_cm: side, height_cm: side });
export type Sizes = z.infer<typeof sizesInput>;

export const sizesSchema = z.object({
  weight_kg: z.number().optional(),
  length_cm: z.number().optional(),
  width_cm: z.number().optional(),
  height_cm: z.number().optional(),
});

/** Converts a package of the API to the form of events. Absent sizes stay absent. */
export function toStoredPackage<P extends Sizes>({ weight_kg, length_cm, width_cm, height_cm, ...rest }: P) {
  return { ...rest, ...known({ weight: weight_kg, length: length_cm, width: width_cm, height: height_cm }) };
}

/** Converts a stored package to the form of the API. */
export function toPackage<P extends Package>({ weight, length, width, height, ...rest }: P) {
  return { ...rest, ...known({ weight_kg: weight, length_cm: length, width_cm: width, height_cm: height }) };
}

function known<V extends Readonly<Record<string, number | undefined>>>(sizes: V): { [K in keyof V]?: number } {
  return Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined)) as {
    [K in keyof V]?: number;
  };
}
