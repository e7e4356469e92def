/** What an input's schema says of the place where something is wrong: told to who must mend it. */
import type { z } from 'zod';

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
const descriptionOf = (schema: Schema): string | undefined => (schema as { description?: string }).description;

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

/** In the words of the schema, without the stop at their end; undefined where it has none. */
export function formAsked(schema: Schema, path: readonly PropertyKey[]): string | undefined {
  for (const layer of layersOf(schemaAt(schema, path))) {
    const said = descriptionOf(layer);
    if (said !== undefined) return said.slice(0, MAX_TEXT).replace(/\.$/, '');
  }
  return undefined;
}

/** Names of the members that there are; undefined where any name is good. */
export function namesKnown(schema: Schema, path: readonly PropertyKey[]): string | undefined {
  for (const layer of layersOf(schemaAt(schema, path))) {
    const { shape } = insideOf(layer);
    if (shape) return Object.keys(shape).slice(0, MAX_NAMES).join(', ') || undefined;
  }
  return undefined;
}
