/**
 * The arguments of a tool as a JSON Schema that every vendor accepts: an object at the root without anyOf, no
 * references, no null types, a description for every member. It is short, because a host sends it to the model with
 * every message. The service checks lengths, patterns and the limits of ids, and reports them in its errors.
 */
import { z } from 'zod';
import type { ListedArgument } from './definition.js';
import { exampleOf } from './argument-examples.js';
import { SHORT_DESCRIPTIONS, DESCRIPTIONS } from './argument-descriptions.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface SchemaOptions {
  /** Arguments of a complete call, if the members alone do not show how they belong together. */
  readonly example?: Readonly<Record<string, unknown>> | undefined;
  /** Texts of arguments by path. */
  readonly arguments?: Readonly<Record<string, ListedArgument>> | undefined;
}

export function portableSchema(
  schema: z.ZodObject,
  { example, arguments: listed = {} }: SchemaOptions = {},
): JsonSchema {
  const {
    $schema: _dialect,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' }) as Record<
    string,
    unknown
  > & { $defs?: Record<string, unknown> };
  const { properties = {}, required } = simplify(root, $defs, 0) as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return {
    type: 'object',
    properties: membersListed(properties, { path: '', example, listed, seen: new Map() }),
    ...(required && { required }),
    additionalProperties: false,
    ...(example && { examples: [example] }),
  };
}

/** All members and constraints of the arguments, for a caller that asks for one tool. */
export function completeSchema(schema: z.ZodObject): JsonSchema {
  const { $schema: _dialect, ...complete } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  }) as Record<string, unknown>;
  return complete;
}

interface Listing {
  /** Path of the object, with a dot at its end. */
  readonly path: string;
  /** The value at this path in the example of the complete call. */
  readonly example: unknown;
  readonly listed: Readonly<Record<string, ListedArgument>>;
  /** Paths of objects that are already listed, by their members. */
  readonly seen: Map<string, string>;
}

/** An object with the same members as an earlier one is repeated only below this number of characters. */
const REPEATED = 200;

const membersListed = (
  properties: Readonly<Record<string, JsonSchema>>,
  { path, example, listed, seen }: Listing,
): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const shown = (example as Readonly<Record<string, unknown>> | undefined)?.[name];
      return [name, memberListed(schema, name, { path: `${path}${name}`, example: shown, listed, seen })];
    }),
  );

function memberListed(schema: JsonSchema, name: string, listing: Listing): JsonSchema {
  const { path, example, listed, seen } = listing;
  const {
    properties,
    items,
    description: own,
    ...rest
  } = schema as { properties?: Readonly<Record<string, JsonSchema>>; items?: JsonSchema; description?: string };
  const argument = listed[path] ?? {};
  const description = argument.description ?? SHORT_DESCRIPTIONS[name] ?? own ?? DESCRIPTIONS[name];
  const constraints = argument.opaque ? { type: schema['type'] } : essential(rest);
  const first = Array.isArray(example) ? (example[0] as unknown) : example;
  if (argument.opaque || (!properties && !items))
    return {
      ...constraints,
      ...(items && { items: { type: items['type'] } }),
      ...(description !== undefined && { description }),
      ...(example === undefined && exampleOf(schema, name, argument.example)),
    };
  const key = JSON.stringify(properties ?? items);
  const before = seen.get(key);
  if (before === undefined) seen.set(key, path);
  else if (key.length > REPEATED)
    return {
      ...constraints,
      ...(items && { items: { type: items['type'] } }),
      description: `${description ?? ''} Same members as \`${before}\`.`.trimStart(),
    };
  const inside = { path: `${path}.`, example: first, listed, seen };
  return {
    ...constraints,
    ...(description !== undefined && { description }),
    ...(properties && { properties: membersListed(properties, inside) }),
    ...(items && { items: itemListed(items, inside) }),
    ...(example === undefined && items && exampleOf(schema, name, argument.example)),
  };
}

function itemListed(items: JsonSchema, inside: Listing): JsonSchema {
  const {
    properties,
    items: nested,
    description: _description,
    ...rest
  } = items as { properties?: Readonly<Record<string, JsonSchema>>; items?: JsonSchema; description?: string };
  return {
    ...essential(rest),
    ...(properties && { properties: membersListed(properties, inside) }),
    ...(nested && { items: itemListed(nested, inside) }),
  };
}

/** Keywords that only repeat the format, the description or the errors of the service. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'pattern',
  'minLength',
  'maxLength',
  'maxItems',
  'propertyNames',
  'examples',
]);
/** Limits beyond these numbers come from the tables and mean nothing for the resource. */
const LARGE = 10_000;

const essential = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([key, value]) => !LEFT_OUT.has(key) && !isNeedless(key, value)));

function isNeedless(key: string, value: unknown): boolean {
  switch (key) {
    case 'minimum':
      return value === -1 || value === 0 || value === 1 || Number(value) <= -LARGE;
    case 'minItems':
      return value === 1;
    case 'exclusiveMinimum':
      return value === 0;
    case 'maximum':
      return Number(value) >= LARGE;
    case 'default':
      return typeof value === 'object';
    case 'additionalProperties':
      return true;
    default:
      return false;
  }
}

/** Maximum nesting: a schema that is nested more deeply refers to itself. */
const MAX_DEPTH = 40;

function simplify(value: unknown, definitions: Readonly<Record<string, unknown>>, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => simplify(item, definitions, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return {};
  const { $ref, id: _id, ...schema } = value as Record<string, unknown>;
  const name = typeof $ref === 'string' ? /^#\/\$defs\/(.+)$/.exec($ref)?.[1] : undefined;
  if (name !== undefined) return simplify({ ...(definitions[name] as object), ...schema }, definitions, depth + 1);
  const whole = withoutNull(schema);
  const entries = Object.entries(whole).map(([key, member]) => [
    key,
    key === 'properties' ? members(member as object, definitions, depth) : simplify(member, definitions, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** Handled separately, because a member may have the name of a keyword. */
const members = (properties: object, definitions: Readonly<Record<string, unknown>>, depth: number): object =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, simplify(schema, definitions, depth + 1)]),
  );

const isNull = (schema: unknown): boolean => (schema as { type?: unknown }).type === 'null';

/**
 * Removes null: a nullable member may also be omitted. A choice with a single remaining alternative is replaced by it.
 */
function withoutNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) return { ...rest, type: type.find((name) => name !== 'null') as unknown };
  if (!Array.isArray(anyOf)) return schema;
  const alternatives = anyOf.filter((alternative) => !isNull(alternative));
  return alternatives.length === 1 ? { ...(alternatives[0] as object), ...rest } : { ...rest, anyOf: alternatives };
}
