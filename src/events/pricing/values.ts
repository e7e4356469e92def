/** Values that occur in rate cards and in the inputs of a price. */
import { z } from 'zod';
import { withFormat } from '../core/format.js';
import { LANGUAGES } from '../core/languages.js';
import { amountSchema } from '../core/money.js';
import { isCommonlyUsed, isCountry } from '../otep/countries.js';

/** Code of a service, zone, lane, option, surcharge, tax, item, class or cell size. */
export const codeSchema = withFormat(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,49}$/),
  'letters, digits, `_`, `.` and `-`, at most 50 characters',
);

/** Tag of a customer. */
export const tagSchema = z.string().min(1).max(50);

/** A name in some languages of the service. */
export const namesSchema = z.partialRecord(z.enum(LANGUAGES), z.string().min(1).max(100));
export type Names = z.infer<typeof namesSchema>;

/** An amount of money that is not negative. Unit prices may have four digits after the point in every currency. */
export const priceSchema = withFormat(
  amountSchema.refine((text) => !text.startsWith('-')),
  'decimal number that is not negative, such as 12.50',
);

export const percentSchema = withFormat(
  z.string().regex(/^(0|[1-9]\d{0,3})(\.\d{1,4})?$/),
  'decimal number from 0 to 9999.9999, such as 7.5',
);

/** Percent of a customer's markup; negative: a discount of at most 100 percent. */
export const markupPercentSchema = withFormat(
  z.string().regex(/^(-100(\.0{1,4})?|-[1-9]?\d(\.\d{1,4})?|(0|[1-9]\d{0,3})(\.\d{1,4})?)$/),
  'decimal number from -100 to 9999.9999, such as -5',
);

const THREE_DECIMALS = /^\d+(\.\d{1,3})?$/;

/** A measure, such as kilograms or minutes. Its decimal text has at most three digits after the point. */
export const measureSchema = (max: number) =>
  withFormat(
    z
      .number()
      .min(0)
      .max(max)
      .refine((value) => THREE_DECIMALS.test(String(value))),
    'number with at most three decimals',
  );

export const MAX_KG = 1_000_000;
export const MAX_CM = 10_000;
export const MAX_KM = 100_000;
export const MAX_MINUTES = 10_000_000;

export const dateSchema = z.iso.date();
/** `HH:MM`. */
export const clockSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
/** ISO 8601: 1 is Monday, 7 is Sunday. */
export const weekdaySchema = z.int().min(1).max(7);

/** ISO 3166-1 alpha-2. */
export const countrySchema = withFormat(
  z.string().refine((code) => isCountry(code) || isCommonlyUsed(code)),
  'ISO 3166-1 alpha-2, such as DE',
);
export const postalCodeSchema = z.string().min(1).max(20);
export const regionSchema = z.string().min(1).max(50);

/** WGS 84 degrees. */
export const positionSchema = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});
export type Position = z.infer<typeof positionSchema>;
