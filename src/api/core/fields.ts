/**
 * Selection of the members of a response: `fields=id,status,delivery.city`. The names are checked against the schema of
 * the response, so that the error for an unknown name lists the known ones.
 */
import type { z } from 'zod';
import { shown } from '../../events/otep/check/findings.js';
import { ApiError, shownName } from './errors.js';

/** Selected members by name; undefined: the whole member. */
export interface Fields extends ReadonlyMap<string, Fields | undefined> {
  readonly size: number;
}

/** Selects every member. */
export const ALL_FIELDS = '*';
/** Maximum number of known members that the error for an unknown member lists. */
const MAX_NAMES = 60;

type Schema = z.core.$ZodType;

/**
 * Parses names that are separated by commas. A dot selects a member of a member, or of each entry of a list. A name is
 * known if one of the schemas has it. Undefined: all members. Throws INVALID_INPUT.
 */
export function readFields(text: string, schemas: readonly Schema[], field = 'fields'): Fields | undefined {
  if (text.trim() === ALL_FIELDS) return undefined;
  const fields: Tree = new Map();
  for (const path of text.split(',')) select(fields, path.trim().split('.'), schemas, field);
  return fields;
}

type Tree = Map<string, Tree | undefined>;

function select(
  fields: Tree,
  [name = '', ...rest]: readonly string[],
  schemas: readonly Schema[],
  field: string,
): void {
  const members = membersOf(schemas);
  const inside = members === 'any' ? 'any' : members.get(name);
  if (inside === undefined) throw unknownName(name, members === 'any' ? [] : [...members.keys()], field);
  const before = fields.get(name);
  // The whole member includes each of its members.
  if (fields.has(name) && before === undefined) return;
  if (rest.length === 0) return void fields.set(name, undefined);
  const selected: Tree = before ?? new Map<string, Tree | undefined>();
  if (inside === 'any') return void fields.set(name, undefined);
  select(selected, rest, inside, field);
  fields.set(name, selected);
}

const unknownName = (name: string, known: readonly string[], field: string): ApiError =>
  new ApiError('INVALID_INPUT', {
    errors: [
      {
        field,
        path: `/${field}`,
        code: 'UNKNOWN_FIELD',
        params: { field: shownName(shown(name), 'query'), known: known.slice(0, MAX_NAMES).join(', ') },
        says: known.length > 0 ? 'FIELD_NOT_AMONG' : 'NO_MEMBERS',
      },
    ],
  });

interface SchemaInternals {
  readonly type: string;
  readonly innerType?: Schema;
  readonly out?: Schema;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
  readonly getter?: () => Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
}

/** Members of objects, including objects in lists; `any` if the schema accepts every name. */
function membersOf(schemas: readonly Schema[]): ReadonlyMap<string, readonly Schema[]> | 'any' {
  const members = new Map<string, Schema[]>();
  for (const schema of schemas.flatMap(objectsIn)) {
    const { type, shape } = schema._zod.def as unknown as SchemaInternals;
    if (type === 'record' || type === 'unknown' || type === 'any') return 'any';
    for (const [name, member] of Object.entries(shape ?? {})) members.set(name, [...(members.get(name) ?? []), member]);
  }
  return members;
}

/** The object schemas inside optional, nullable, list and union schemas. */
export function objectsIn(schema: Schema): Schema[] {
  const { innerType, out, element, options, getter } = schema._zod.def as unknown as SchemaInternals;
  const inside = innerType ?? out ?? element ?? getter?.();
  if (inside) return objectsIn(inside);
  return options ? options.flatMap(objectsIn) : [schema];
}

/** The value with only the selected members; for a list, applied to each entry. */
export function pickFields(value: unknown, fields: Fields | undefined): unknown {
  if (fields === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => pickFields(entry, fields));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      fields.has(name) ? [[name, pickFields(member, fields.get(name))]] : [],
    ),
  );
}

/** The value without null members; null entries of lists stay. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null || member === undefined ? [] : [[name, withoutNull(member)]],
    ),
  );
}
