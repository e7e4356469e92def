/**
 * The shape of an event type's data as plain JSON with one line per member, so that a diff shows what changed. It
 * contains all constraints of the JSON Schema, but not the order of members and enum values.
 */
import { z } from 'zod';
import type { EventType, PersonalMembers } from '../../../src/events/core/event-types.js';

/**
 * A leaf as text (`string`, `"D" | "P"`, `integer[]`), or members by name. `name?` is optional, `name? personal` is
 * also personal data.
 */
export type Shape = string | { readonly [member: string]: Shape } | readonly Shape[];

type Node = { readonly [keyword: string]: unknown };

/** Keywords that do not affect which data is valid. */
const REMARKS = new Set(['$schema', 'description', 'title', 'examples', 'default', 'id', 'deprecated']);
/** The bounds of `z.int()`. */
const SAFE = new Set<unknown>([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

export const shapeOf = ({ schema, personal }: Pick<EventType, 'schema' | 'personal'>): Shape =>
  shape(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Node, personal);

function shape(node: Node, personal: PersonalMembers = {}): Shape {
  const { type, properties, required, additionalProperties, propertyNames, items, prefixItems, anyOf, oneOf, ...rest } =
    node;
  if (type === 'object') {
    const members = {
      ...membersOf((properties ?? {}) as Record<string, Node>, (required ?? []) as readonly string[], personal),
      ...(additionalProperties !== undefined &&
        additionalProperties !== false && { [`[${nameOf(propertyNames)}]`]: shape(additionalProperties as Node) }),
    };
    const more = limits(rest);
    return more === '' ? members : { ...members, '(object)': more.trim() };
  }
  const more = limits(rest);
  const inside =
    items !== undefined || prefixItems !== undefined ? arrayOf(items as Node, prefixItems as Node[]) : undefined;
  if (inside !== undefined) return typeof inside === 'string' ? `${inside}${more}` : { ...inside, ...limitsOf(more) };
  const either = (anyOf ?? oneOf) as readonly Node[] | undefined;
  if (either) {
    const shapes = either.map((one) => shape(one));
    return shapes.every((one) => typeof one === 'string') ? `${shapes.join(' | ')}${more}` : { either: shapes };
  }
  const values = (rest['enum'] as readonly unknown[] | undefined) ?? ('const' in rest ? [rest['const']] : undefined);
  if (values) return [...values.map((value) => JSON.stringify(value))].sort().join(' | ');
  return `${(type as string | undefined) ?? 'any'}${more}`;
}

const membersOf = (
  properties: Readonly<Record<string, Node>>,
  required: readonly string[],
  personal: PersonalMembers,
): Readonly<Record<string, Shape>> =>
  Object.fromEntries(
    Object.entries(properties)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, node]) => {
        const mark = personal[name];
        const key = `${name}${required.includes(name) ? '' : '?'}${mark === true ? ' personal' : ''}`;
        return [key, shape(node, typeof mark === 'object' ? mark : {})] as const;
      }),
  );

function arrayOf(items: Node | undefined, tuple: readonly Node[] | undefined): string | Record<string, Shape> {
  if (tuple) return { tuple: tuple.map((one) => shape(one)), ...(items && { '[]': shape(items) }) };
  const item = shape(items ?? {});
  return typeof item === 'string' ? (item.includes(' ') ? `(${item})[]` : `${item}[]`) : { '[]': item };
}

const nameOf = (names: unknown): string => {
  const text = shape((names ?? { type: 'string' }) as Node);
  return typeof text === 'string' ? text : JSON.stringify(text);
};

/**
 * Returns the remaining constraints of the node: ` {maxLength: 40, pattern: "..."}`, or an empty text. The pattern of a
 * format is omitted, because zod defines it.
 */
function limits(rest: Node): string {
  const demands = Object.entries(rest)
    .filter(([keyword]) => !REMARKS.has(keyword) && !(keyword === 'pattern' && 'format' in rest))
    .filter(([keyword, value]) => keyword !== 'enum' && keyword !== 'const' && !SAFE.has(value))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
  return demands.length === 0 ? '' : ` {${demands.join(', ')}}`;
}

const limitsOf = (more: string): Record<string, string> => (more === '' ? {} : { '(array)': more.trim() });
