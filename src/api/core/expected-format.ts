/** The format that an input's schema expects at the position of a fault, for the error message. */
import type { z } from 'zod';
import { formatOf } from '../../events/core/format.js';
import { PATTERN_FORMATS } from './pattern-formats.js';

type Schema = z.core.$ZodType;
/** The internals of a schema that are needed to find a position in it. */
interface SchemaInternals {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
}

const internalsOf = (schema: Schema): SchemaInternals => schema._zod.def as unknown as SchemaInternals;

/** Maximum length of a pattern that an error message repeats, in characters. */
const MAX_TEXT = 200;
/** Maximum number of known members that an error message lists after an unknown member. */
const MAX_NAMES = 40;

/** The schema and the schemas that it wraps: optional, with a default, or with preprocessing. */
function* layersOf(schema: Schema | undefined): Generator<Schema> {
  for (let at = schema; at !== undefined;) {
    yield at;
    const { innerType, in: before } = internalsOf(at);
    at = innerType ?? before;
  }
}

function memberOf(schema: Schema, key: PropertyKey): Schema | undefined {
  for (const layer of layersOf(schema)) {
    const { shape, element, valueType } = internalsOf(layer);
    const found = shape?.[String(key)] ?? (typeof key === 'number' ? element : undefined) ?? valueType;
    if (found) return found;
  }
  return undefined;
}

function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const key of path) at = at && memberOf(at, key);
  return at;
}

/** Formats that JSON Schema defines. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a day of the calendar, `YYYY-MM-DD`',
  datetime: 'an RFC 3339 time with an offset, such as `2030-05-04T09:00:00Z`',
  email: '`name@example.com`',
  uuid: 'a UUID',
  guid: 'a UUID',
  url: '`https://example.com`',
};

/**
 * The format that a value must have: the `form` of the schema, its standard format, or its pattern. Undefined if the
 * schema has none. The description of the schema is not used: it explains the meaning of the member.
 */
export function expectedFormat(schema: Schema, { path, format, pattern }: Fault): string | undefined {
  for (const layer of layersOf(schemaAt(schema, path))) {
    const expected = formatOf(layer);
    if (expected !== undefined) return expected;
  }
  if (format !== undefined && Object.hasOwn(FORMATS, format)) return FORMATS[format];
  const text = pattern?.replace(/^\/(.*)\/\w*$/s, '$1');
  if (text === undefined) return undefined;
  if (Object.hasOwn(PATTERN_FORMATS, text)) return PATTERN_FORMATS[text];
  return text.length > MAX_TEXT ? undefined : `\`${text}\``;
}

/** The parts of a zod issue that determine the expected format. */
interface Fault {
  readonly path: readonly PropertyKey[];
  readonly format?: string;
  readonly pattern?: string | undefined;
}

/** Names of the members of the object at `path`; undefined if the schema accepts any name. */
export function knownNames(schema: Schema, path: readonly PropertyKey[]): string | undefined {
  for (const layer of layersOf(schemaAt(schema, path))) {
    const { shape } = internalsOf(layer);
    if (shape) return Object.keys(shape).slice(0, MAX_NAMES).join(', ') || undefined;
  }
  return undefined;
}
