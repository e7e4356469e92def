/** Checks the input of an operation in the same way for every interface. The error lists each invalid member. */
import type { z } from 'zod';
import { segment, shown } from '../../events/otep/check/findings.js';
import { expectedFormat, knownNames } from './expected-format.js';
import { ApiError, fieldOf, shownName, type FieldError } from './errors.js';
import type { Operation } from './operation.js';

/**
 * Maximum number of listed errors: a body may have as many faults as members, and the first faults are enough to fix
 * the body.
 */
const MAX_ERRORS = 100;
/** Longer names of members are not repeated in a path. Characters. */
const MAX_NAME = 256;

/**
 * The checked input with defaults filled in. Throws INVALID_INPUT, or the error that the operation defines for a
 * missing member (`missing`).
 */
export function checkInput(
  { input, missing = {} }: Pick<Operation, 'input' | 'missing'>,
  raw: unknown,
): Record<string, unknown> {
  for (const [field, code] of Object.entries(missing))
    if (isMissing((raw as Record<string, unknown>)[field]))
      throw new ApiError(code, { errors: [{ field, path: `/${field}`, code: 'REQUIRED' }] });
  const parsed = input.safeParse(raw, { reportInput: true });
  if (parsed.success) return parsed.data as Record<string, unknown>;
  throw new ApiError('INVALID_INPUT', {
    errors: distinct(parsed.error.issues.slice(0, MAX_ERRORS).flatMap((issue) => toFieldErrors(issue, input))),
  });
}

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const pointer = (path: readonly PropertyKey[]): string => path.map((key) => `/${segment(String(key))}`).join('');

type Issue = z.core.$ZodIssue;

/**
 * Two errors of one member with the same code are one error. An error about the length is dropped if the expected
 * format of the member is reported, because the format includes the length.
 */
function distinct(errors: readonly FieldError[]): FieldError[] {
  const formatErrorPaths = new Set(errors.filter(({ says }) => says === 'FORM_ASKED').map(({ path }) => path));
  return errors
    .filter(
      ({ path, code }, index) =>
        !(LENGTHS.has(code) && formatErrorPaths.has(path)) &&
        errors.findIndex((other) => other.path === path && other.code === code) === index,
    )
    .slice(0, MAX_ERRORS);
}

const LENGTHS: ReadonlySet<string> = new Set(['TOO_SHORT', 'TOO_LONG']);

function toFieldErrors(issue: Issue, schema: z.ZodType): FieldError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_ERRORS).map((key) => unknownField(issue.path, key, knownNames(schema, issue.path)));
  const path = pointer(issue.path);
  return [{ field: fieldOf(path), path, ...codeOf(issue, schema) }];
}

function unknownField(inside: readonly PropertyKey[], key: string, known: string | undefined): FieldError {
  const field = shownName(shown(key), 'body');
  return {
    field,
    path: pointer(key.length > MAX_NAME ? inside : [...inside, key]),
    code: 'UNKNOWN_FIELD',
    ...(known === undefined ? { params: { field } } : { params: { field, known }, says: 'FIELD_NOT_AMONG' }),
  };
}

function codeOf(issue: Issue, schema: z.ZodType): Pick<FieldError, 'code' | 'params' | 'says'> {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? { code: 'REQUIRED' } : wrongType(issue.expected, issue.input);
    case 'too_small': {
      const code = sized(issue.origin, 'TOO_FEW_ITEMS', 'TOO_SHORT', 'TOO_SMALL');
      const min = Number(issue.minimum);
      const says = code === 'TOO_SMALL' ? (issue.inclusive ? undefined : 'MORE_THAN') : min === 1 ? 'EMPTY' : undefined;
      return { code, params: { min }, ...(says !== undefined && { says }) };
    }
    case 'too_big': {
      const code = sized(issue.origin, 'TOO_MANY_ITEMS', 'TOO_LONG', 'TOO_BIG');
      const isExclusive = code === 'TOO_BIG' && !issue.inclusive;
      return { code, params: { max: Number(issue.maximum) }, ...(isExclusive && { says: 'LESS_THAN' }) };
    }
    case 'invalid_value': {
      const params = { allowed: issue.values.map(String).join(', ') };
      return issue.input === undefined
        ? { code: 'REQUIRED', params, says: 'REQUIRED_ONE_OF' }
        : { code: 'INVALID_VALUE', params };
    }
    default: {
      const form = expectedFormat(schema, issue);
      return { code: 'INVALID_FORM', ...(form !== undefined && { params: { form }, says: 'FORM_ASKED' }) };
    }
  }
}

/** JSON type names that zod names differently. */
const JSON_TYPES: Readonly<Record<string, string>> = { int: 'integer', record: 'object' };

/** The error of a value that has another type. Types have their JSON names. */
export const wrongType = (expected: string, value: unknown): Pick<FieldError, 'code' | 'params' | 'says'> => ({
  code: 'INVALID_TYPE',
  says: 'OTHER_TYPE',
  params: { expected: JSON_TYPES[expected] ?? expected, received: typeOf(value) },
});

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const sized = (origin: string, list: string, text: string, number: string): string =>
  origin === 'array' || origin === 'set' ? list : origin === 'string' ? text : number;
