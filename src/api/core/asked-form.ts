/** What an input's schema expects at the place where something is wrong, for the error. */
import type { z } from 'zod';
import { formOf } from '../../events/core/form.js';
import { PATTERN_FORMS } from './pattern-forms.js';

type Schema = z.core.$ZodType;
/** As much of a schema's inside as it takes to find a place in it. */
interface Inside {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
}

const insideOf = (schema: Schema): Inside => schema._zod.def as unknown as Inside;

/** Longest text that is repeated from a schema. */
const MAX_TEXT = 200;
/** Members that are named where one is not known. */
const MAX_NAMES = 40;

/** Through what may be absent, has a default, or is read before it is checked. */
function* layersOf(schema: Schema | undefined): Generator<Schema> {
  for (let at = schema; at !== undefined;) {
    yield at;
    const { innerType, in: before } = insideOf(at);
    at = innerType ?? before;
  }
}

function memberOf(schema: Schema, key: PropertyKey): Schema | undefined {
  for (const layer of layersOf(schema)) {
    const { shape, element, valueType } = insideOf(layer);
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

/** Formats that JSON Schema names. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a day of the calendar, `YYYY-MM-DD`',
  datetime: 'an RFC 3339 time with an offset, such as `2030-05-04T09:00:00Z`',
  email: '`name@example.com`',
  uuid: 'a UUID',
  guid: 'a UUID',
  url: '`https://example.com`',
};

/**
 * The form of the schema, of its format, or of its pattern. Never its description, which says what the member means;
 * undefined where there is none.
 */
export function formAsked(schema: Schema, { path, format, pattern }: Fault): string | undefined {
  for (const layer of layersOf(schemaAt(schema, path))) {
    const form = formOf(layer);
    if (form !== undefined) return form;
  }
  if (format !== undefined && Object.hasOwn(FORMATS, format)) return FORMATS[format];
  const text = pattern?.replace(/^\/(.*)\/\w*$/s, '$1');
  if (text === undefined) return undefined;
  if (Object.hasOwn(PATTERN_FORMS, text)) return PATTERN_FORMS[text];
  return text.length > MAX_TEXT ? undefined : `\`${text}\``;
}

/** An issue of zod, as far as it tells a form. */
interface Fault {
  readonly path: readonly PropertyKey[];
  readonly format?: string;
  readonly pattern?: string | undefined;
}

/** Names of the members that there are; undefined where any name is good. */
export function namesKnown(schema: Schema, path: readonly PropertyKey[]): string | undefined {
  for (const layer of layersOf(schemaAt(schema, path))) {
    const { shape } = insideOf(layer);
    if (shape) return Object.keys(shape).slice(0, MAX_NAMES).join(', ') || undefined;
  }
  return undefined;
}
