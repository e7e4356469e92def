/** Settings of a `sheet` account. It has no credentials. */
import { z } from 'zod';
import type { NumberRange } from '../port.js';

/** Digits of an SSCC without its check digit: extension digit, GS1 company prefix and serial number. */
const DIGITS = 17;

/** The greatest serial number under a company prefix. */
const lastSerial = (companyPrefix: string): number => 10 ** (DIGITS - 1 - companyPrefix.length) - 1;

export const sheetSettings = z
  .strictObject({
    rate_card_id: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .describe(
        'Rate card whose prices are the cost of the labels. Its family is `shipping_service`, `local_delivery` or `ltl_service`.',
      ),
    carrier_name: z.string().trim().min(1).max(50).describe('Name of the carrier on labels and for customers.'),
    extension_digit: z.string().regex(/^\d$/).default('0').describe('First digit of the numbers.'),
    company_prefix: z
      .string()
      .regex(/^\d{7,10}$/)
      .describe('GS1 company prefix, 7 to 10 digits. Numbers are SSCC with this prefix.'),
    serial_from: z.int().min(0).default(0).describe('First serial number.'),
    serial_to: z
      .int()
      .min(0)
      .optional()
      .describe('Last serial number. Default: the greatest number that has enough digits.'),
  })
  .refine(({ company_prefix, serial_to = 0 }) => serial_to <= lastSerial(company_prefix), { path: ['serial_to'] })
  .refine(({ company_prefix, serial_from, serial_to = lastSerial(company_prefix) }) => serial_from <= serial_to, {
    path: ['serial_from'],
  });
export type SheetSettings = z.infer<typeof sheetSettings>;

export const rangeOf = ({ extension_digit, company_prefix, serial_from, serial_to }: SheetSettings): NumberRange => ({
  scheme: 'sscc',
  prefix: extension_digit + company_prefix,
  from: serial_from,
  to: serial_to ?? lastSerial(company_prefix),
});
