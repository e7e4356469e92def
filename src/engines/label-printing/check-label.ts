/** Checks that a label is printable and small: drawing takes time in proportion to the length of its texts. */
import { z } from 'zod';
import type { CarrierStop } from '../outside/carriers/shipment.js';
import type { PrintedLabel } from '../outside/carriers/services.js';

const MAX_TEXT = 255;
const MAX_PIECES = 9_999;

const text = z.string().max(MAX_TEXT).optional();
const stop = z.object({
  name: text,
  company: text,
  phone: text,
  email: text,
  street: text,
  street_2: text,
  city: text,
  region: text,
  postal_code: text,
  country: z.string().regex(/^[A-Z]{2}$/),
} satisfies Record<keyof CarrierStop, z.ZodType>);
const piece = z.int().min(1).max(MAX_PIECES);
const label = z.object({
  carrier: z.string().max(MAX_TEXT),
  service: z.string().max(MAX_TEXT),
  number: z.object({
    scheme: z.literal('sscc'),
    value: z
      .string()
      .regex(/^\d{18}$/)
      .refine((value) => checkDigit(value.slice(0, -1)) === Number(value.at(-1)), 'The check digit is wrong.'),
  }),
  from: stop,
  to: stop,
  ship_date: z.iso.date(),
  weight_kg: z.number().min(0).max(99_999),
  piece: z.tuple([piece, piece]).refine(([position, count]) => position <= count, 'The position exceeds the number.'),
  order_ref: text,
} satisfies Record<keyof PrintedLabel, z.ZodType>);

/** A label that the service must not print. Its message contains no text of the label. */
export class InvalidLabel extends Error {
  override readonly name = 'InvalidLabel';
}

/** Throws `InvalidLabel` with the first member that is invalid. A text has at most 255 characters. */
export function checkLabel(printed: PrintedLabel): void {
  const { error } = label.safeParse(printed);
  if (error) throw new InvalidLabel(`/${error.issues[0]!.path.join('/')}: ${error.issues[0]!.message}`);
}

/** GS1 General Specifications, section 7.9: weights 3 and 1 from the right. */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}
