/** Stock quantities: decimal text with up to four decimal digits, calculated exactly. */
import { z } from 'zod';

const SCALE = 10_000;

/** From `0.0001` to `99999999.9999`. */
export const quantitySchema = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,8}(\.\d{1,4})?$/)
  .describe('Decimal number as text, greater than zero, with up to four decimal places.');

/** In ten-thousandths: an integer far below 2^53. */
export const unitsOf = (quantity: string): number => Math.round(Number(quantity) * SCALE);

/** Without trailing zeros: `12`, `0.5`, `-3`. */
export const quantityOf = (units: number): string => String(units / SCALE);
