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
import { matcherOf, MOST_MATCHED } from './patterns.js';
import { polygonInput } from './polygons.js';

/** Maximum size of one record in JSON, in bytes. */
const MOST_BYTES = 65_536;
const MOST_LETTERS = 4_000;

function text({ min = 1, max = MOST_LETTERS, pattern }: Column) {
  const form = z.string().min(min);
  const matches = pattern === undefined ? undefined : matcherOf(pattern);
  if (!matches) return form.max(Math.min(max, MOST_LETTERS));
  return form.max(Math.min(max, MOST_MATCHED)).refine((value) => value.length > MOST_MATCHED || matches(value));
}
const choice = ({ options = [] }: Column) => z.enum(options as [string, ...string[]]);
const unique = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** Schema of each column type. Its output is the normalized value that is stored. */
const FORMS: Readonly<Record<Column['type'], (column: Column) => z.ZodType>> = {
  text,
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
  select: choice,
  multi_select: (column) => z.array(choice(column)).min(1).max(200).refine(unique),
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
  reference: () => z.union([z.string().min(1).max(MOST_LETTERS), z.int()]),
  tracking_number: () =>
    z.string().transform((number, context) => {
      const normal = normalizeNumber(number);
      if (normal === undefined) context.addIssue({ code: 'custom' });
      return normal ?? z.NEVER;
    }),
};

/** Schema of the values of a column. */
export const formOf = (column: Column): z.ZodType => FORMS[column.type](column);

export interface CheckedValues {
  readonly open: Values;
  readonly personal: Values | undefined;
}

/** Creates a check for records with these columns. It throws INVALID_INPUT with paths below `path`. */
export function createValueCheck(columns: readonly Column[]): (raw: unknown, path: string) => CheckedValues {
  const shown = columns.filter(({ hidden }) => !hidden);
  const input = z.strictObject(
    Object.fromEntries(
      shown.map((column) => [column.code, column.required ? formOf(column) : formOf(column).optional()]),
    ),
  );
  const isPersonal = new Set(shown.filter(({ personal }) => personal).map(({ code }) => code));
  return (raw, path) => {
    if (Buffer.byteLength(JSON.stringify(raw)) > MOST_BYTES)
      throw invalid([{ field: fieldOf(path), path, code: 'TOO_LONG', params: { max: MOST_BYTES } }]);
    const values = Object.entries(checkedBelow(input, raw, path));
    const personal = values.filter(([code]) => isPersonal.has(code));
    return {
      open: Object.fromEntries(values.filter(([code]) => !isPersonal.has(code))),
      personal: personal.length > 0 ? Object.fromEntries(personal) : undefined,
    };
  };
}

/** Checks input; throws INVALID_INPUT with paths below `path`. */
export function checkedBelow(input: z.ZodObject, raw: unknown, path: string): Record<string, unknown> {
  try {
    return checkInput({ input } as unknown as Operation, raw);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw invalid(error.errors.map((one) => ({ ...one, path: `${path}${one.path}` })));
  }
}

export const invalid = (errors: readonly FieldError[]): ApiError => new ApiError('INVALID_INPUT', { errors });
