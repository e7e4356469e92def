/** Checks values of records against the current columns, and separates personal values from the others. */
import { isValidPhoneNumber } from 'libphonenumber-js/min';
import { z } from 'zod';
import type { Column } from '../../../events/datasets/columns.js';
import type { Values } from '../../../events/datasets/events.js';
import { normalizeNumber } from '../../../events/otep/check/subject.js';
import { checkInput } from '../../core/check-input.js';
import { ApiError, fieldOf, type FieldError } from '../../core/errors.js';
import { positionInput } from '../../core/geo.js';
import type { Operation } from '../../core/operation.js';
import { stopInput } from '../orders/input.js';
import { dateSchema } from '../../core/dates.js';
import { matcherOf, MAX_MATCHED_LENGTH } from './patterns.js';
import { polygonInput } from './polygons.js';

/** Maximum size of one record in JSON, in bytes. */
const MAX_BYTES = 65_536;
const MAX_LENGTH = 4_000;

function textSchema({ min = 1, max = MAX_LENGTH, pattern }: Column) {
  const schema = z.string().min(min);
  const matches = pattern === undefined ? undefined : matcherOf(pattern);
  if (!matches) return schema.max(Math.min(max, MAX_LENGTH));
  return schema
    .max(Math.min(max, MAX_MATCHED_LENGTH))
    .refine((value) => value.length > MAX_MATCHED_LENGTH || matches(value));
}
const choiceSchema = ({ options = [] }: Column) => z.enum(options as [string, ...string[]]);
const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** Schema of each column type. Its output is the normalized value that is stored. */
const SCHEMAS: Readonly<Record<Column['type'], (column: Column) => z.ZodType>> = {
  text: textSchema,
  number: ({ min = -1e15, max = 1e15 }) => z.number().min(min).max(max),
  integer: ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }) => z.int().min(min).max(max),
  // Decimal text, because floating-point numbers are not exact.
  money: () =>
    z.strictObject({
      amount: z.string().regex(/^-?(0|[1-9]\d{0,11})(\.\d{1,4})?$/),
      currency: z.string().regex(/^[A-Z]{3}$/),
    }),
  boolean: () => z.boolean(),
  date: () => dateSchema,
  time: () => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  // In UTC, so that text order equals time order.
  datetime: () => z.iso.datetime({ offset: true }).transform((time) => new Date(time).toISOString()),
  select: choiceSchema,
  multi_select: (column) => z.array(choiceSchema(column)).min(1).max(200).refine(isUnique),
  email: () => z.email().max(254),
  // The minimal metadata of libphonenumber (83 KB) covers all countries; it lacks only the types of numbers.
  phone: () =>
    z
      .string()
      .regex(/^\+[1-9]\d{6,14}$/)
      .refine((number) => isValidPhoneNumber(number)),
  url: () => z.url({ protocol: /^https?$/ }).max(2_000),
  address: () => stopInput.partial(),
  point: () => positionInput,
  polygon: () => polygonInput,
  // If the dataset exists, the type of its key or of ids applies instead: see references.ts.
  reference: () => z.union([z.string().min(1).max(MAX_LENGTH), z.int()]),
  tracking_number: () =>
    z.string().transform((number, context) => {
      const normal = normalizeNumber(number);
      if (normal === undefined) context.addIssue({ code: 'custom' });
      return normal ?? z.NEVER;
    }),
};

/** Schema of the values of a column. */
export const valueSchemaOf = (column: Column): z.ZodType => SCHEMAS[column.type](column);

export interface CheckedValues {
  readonly plain: Values;
  readonly personal: Values | undefined;
}

/** Creates a check for records with these columns. It throws INVALID_INPUT with paths below `path`. */
export function createValueCheck(columns: readonly Column[]): (raw: unknown, path: string) => CheckedValues {
  const visibleColumns = columns.filter(({ hidden }) => !hidden);
  const input = z.strictObject(
    Object.fromEntries(
      visibleColumns.map((column) => [
        column.code,
        column.required ? valueSchemaOf(column) : valueSchemaOf(column).optional(),
      ]),
    ),
  );
  const personalCodes = new Set(visibleColumns.filter(({ personal }) => personal).map(({ code }) => code));
  return (raw, path) => {
    if (Buffer.byteLength(JSON.stringify(raw)) > MAX_BYTES)
      throw invalidInput([{ field: fieldOf(path), path, code: 'TOO_LONG', params: { max: MAX_BYTES } }]);
    const values = Object.entries(checkAtPath(input, raw, path));
    const personal = values.filter(([code]) => personalCodes.has(code));
    return {
      plain: Object.fromEntries(values.filter(([code]) => !personalCodes.has(code))),
      personal: personal.length > 0 ? Object.fromEntries(personal) : undefined,
    };
  };
}

/** Checks input; throws INVALID_INPUT with paths below `path`. */
export function checkAtPath(input: z.ZodObject, raw: unknown, path: string): Record<string, unknown> {
  try {
    return checkInput({ input } as unknown as Operation, raw);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw invalidInput(error.errors.map((one) => ({ ...one, path: `${path}${one.path}` })));
  }
}

export const invalidInput = (errors: readonly FieldError[]): ApiError => new ApiError('INVALID_INPUT', { errors });
