/** Converts GraphQL arguments to an operation's input, and paths of input errors back to argument names. */
import type { z } from 'zod';
import type { FieldError } from '../core/errors.js';
import type { Operation } from '../core/operation.js';
import { checkJson } from '../core/body.js';
import { camelCase } from './names.js';
import { membersOf, shapeOf, type Member, type Shape } from './shapes.js';

/** The members of the input under their REST names. Throws INVALID_ENCODING and TOO_DEEP, as for a REST body. */
export function toInput(
  { input }: Pick<Operation, 'input'>,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  checkJson(args);
  return toMembers(membersOf(input, 'input'), input, args);
}

function toMembers(
  members: readonly Member[],
  object: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { name, graphqlName, shape } of members) {
    const value = values[graphqlName];
    // Clients send null for an unset variable. If the schema does not accept null, it counts as omitted.
    const absent =
      value === undefined || (value === null && !(object.shape[name] as z.ZodType).safeParse(null).success);
    if (!absent) result[name] = toValue(shape, value);
  }
  return result;
}

function toValue(shape: Shape, value: unknown): unknown {
  if (value === null) return null;
  if (shape.kind === 'list') return (value as unknown[]).map((item) => toValue(shape.of, item));
  return shape.kind === 'object' ? toMembers(shape.members(), shape.schema, value as Record<string, unknown>) : value;
}

/**
 * The same error with GraphQL names: `/order_ids/0` becomes `/orderIds/0`. Names within a JSON document stay unchanged.
 */
export function toArgumentError({ input }: Operation, error: FieldError): FieldError {
  const segments = error.path.split('/').slice(1);
  const path = segments.length === 0 ? '' : `/${renamed(input, segments).join('/')}`;
  const isArgument = segments.length === 0 && Object.hasOwn(input.shape, error.field);
  const field =
    path === ''
      ? isArgument
        ? camelCase(error.field)
        : error.field
      : segments.at(-1) === error.field
        ? path.split('/').at(-1)!
        : error.field;
  return { ...error, field, path };
}

function renamed(object: z.ZodObject, [name, ...rest]: readonly string[]): string[] {
  const schema = Object.hasOwn(object.shape, name!) ? (object.shape[name!] as z.ZodType) : undefined;
  if (schema === undefined) return [name!, ...rest];
  let { shape } = shapeOf(schema, 'input');
  const result = [camelCase(name!)];
  while (shape.kind === 'list' && rest.length > 0) {
    result.push(rest.shift()!);
    shape = shape.of;
  }
  return shape.kind === 'object' && rest.length > 0
    ? [...result, ...renamed(shape.schema, rest)]
    : [...result, ...rest];
}
