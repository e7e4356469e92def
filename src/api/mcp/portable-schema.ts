/**
 * The arguments of a tool as a JSON Schema that every vendor takes: an object at the root without anyOf, nothing
 * outside it referred to, no null types, every member described.
 */
import { z } from 'zod';
import { withExamples } from './member-examples.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What common members mean where the operation does not say so itself. */
const MEANINGS: Readonly<Record<string, string>> = {
  order_id: 'Id of the order.',
  order_ids: 'Ids of the orders.',
  tracking_number: 'Tracking number of the parcel.',
  proposal_id: 'Id of the proposal.',
  route_id: 'Id of the route.',
  driver_id: 'Id of the driver.',
  carrier: 'Only the parcel of this carrier, where several have the number.',
  page: 'Page, from 1.',
  per_page: 'Entries on a page.',
  reason: 'Why, for whoever reads the audit trail.',
  note: 'Free text.',
  status: 'Only with this status.',
};

/** `example`: arguments of a whole call, where the members alone do not show how they go together. */
export function portableSchema(schema: z.ZodObject, example?: Readonly<Record<string, unknown>>): JsonSchema {
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
    properties: withExamples({ properties: describe(properties) })['properties'],
    ...(required && { required }),
    additionalProperties: false,
    ...(example && { examples: [example] }),
  };
}

const describe = (properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      schema['description'] === undefined ? { ...schema, description: MEANINGS[name] ?? inWords(name) } : schema,
    ]),
  );

/** `schedule_date` is a "Schedule date". */
const inWords = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}.`;

/** Documents nest; a schema that nests deeper than this refers to itself. */
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

/** Members may be called like a keyword. */
const members = (properties: object, definitions: Readonly<Record<string, unknown>>, depth: number): object =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, simplify(schema, definitions, depth + 1)]),
  );

const isNull = (schema: unknown): boolean => (schema as { type?: unknown }).type === 'null';

/** A member that may be null may as well be left out; of a choice with one way left only that way. */
function withoutNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) return { ...rest, type: type.find((name) => name !== 'null') as unknown };
  if (!Array.isArray(anyOf)) return schema;
  const ways = anyOf.filter((way) => !isNull(way));
  return ways.length === 1 ? { ...(ways[0] as object), ...rest } : { ...rest, anyOf: ways };
}
