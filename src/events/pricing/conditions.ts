/** Conditions of surcharges and taxes. All conditions of a list must hold. */
import { z } from 'zod';
import { clockSchema, codeSchema, countrySchema, dateSchema, measureSchema, priceSchema, tagSchema } from './values.js';

/** Measures of each package. Sides are in centimetres; girth is the longest side + 2 × (the sum of the other two). */
export const PACKAGE_FIELDS = ['billable_kg', 'longest_side', 'second_side', 'girth'] as const;
export type PackageField = (typeof PACKAGE_FIELDS)[number];

/** Measures of the shipment. `packages` is their number; `weekday` (1 is Monday) is that of the ship date. */
export const MEASURE_FIELDS = ['packages', 'distance_km', 'window_hours', 'weekday'] as const;
export type MeasureField = (typeof MEASURE_FIELDS)[number];

/** Amounts of money. `declared_value` is the sum over the packages. */
export const AMOUNT_FIELDS = ['declared_value', 'cod_amount'] as const;
export type AmountField = (typeof AMOUNT_FIELDS)[number];

export const CODE_FIELDS = ['from_zone', 'to_zone', 'lane'] as const;
/** Texts; `country_pair` is `DE-FR`, from and to. */
export type TextField = (typeof CODE_FIELDS)[number] | 'country_pair' | 'date' | 'window_start';

export type ListField = 'option' | 'customer_tag';

/** Fields whose value can be multiplied by a price. */
export const NUMERIC_FIELDS = [...PACKAGE_FIELDS, ...MEASURE_FIELDS, ...AMOUNT_FIELDS] as const;
export type NumericField = (typeof NUMERIC_FIELDS)[number];

const MAX_VALUES = 200;

/** Operators that compare a value with one, several, or two values. The bounds of `between` are included. */
const ordered = <F extends string, V extends z.ZodType>(fields: readonly [F, ...F[]], value: V) => {
  const field = z.enum(fields);
  return z.discriminatedUnion('op', [
    z.strictObject({ field, op: z.enum(['=', '!=', '>', '>=', '<', '<=']), value }),
    z.strictObject({ field, op: z.literal('in'), value: z.array(value).min(1).max(MAX_VALUES) }),
    z.strictObject({ field, op: z.literal('between'), value: z.tuple([value, value]) }),
  ]);
};

/** Operators for values without an order. For a list, `=` means that it contains the value. */
const unordered = <F extends string, V extends z.ZodType>(fields: readonly [F, ...F[]], value: V) => {
  const field = z.enum(fields);
  return z.discriminatedUnion('op', [
    z.strictObject({ field, op: z.enum(['=', '!=']), value }),
    z.strictObject({ field, op: z.literal('in'), value: z.array(value).min(1).max(MAX_VALUES) }),
  ]);
};

const countryPairSchema = z
  .string()
  .regex(/^[A-Z]{2}-[A-Z]{2}$/)
  .refine((pair) => pair.split('-').every((country) => countrySchema.safeParse(country).success));

export const conditionSchema = z.discriminatedUnion('field', [
  ordered(PACKAGE_FIELDS, measureSchema(10_000_000)),
  ordered(MEASURE_FIELDS, measureSchema(10_000_000)),
  ordered(AMOUNT_FIELDS, priceSchema),
  ordered(['date'], dateSchema),
  ordered(['window_start'], clockSchema),
  unordered(CODE_FIELDS, codeSchema),
  unordered(['country_pair'], countryPairSchema),
  unordered(['option'], codeSchema),
  unordered(['customer_tag'], tagSchema),
  z.strictObject({ field: z.literal('residential'), op: z.enum(['=', '!=']), value: z.boolean() }),
]);
export type Condition = z.infer<typeof conditionSchema>;
