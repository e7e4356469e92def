/**
 * The query parameter `fields` of reads: it selects members of the resource. The envelope of the response (`result`,
 * paging) stays complete. Objects that `expand` adds stay complete unless `fields` selects members of them.
 */
import { z } from 'zod';
import { checkInput } from './check-input.js';
import { pickFields, readFields, type Fields } from './fields.js';
import type { Operation } from './operation.js';

/** Name of the query parameter. */
export const FIELDS = 'fields';
const input = z.strictObject({ [FIELDS]: z.string().min(1).max(1_000) });

/** Reduces a response to the selected members. */
export type Select = (result: unknown) => unknown;

/**
 * Returns the parser of the parameter for an operation; undefined if the operation does not accept the parameter. The
 * parser throws INVALID_INPUT.
 */
export function selectionOf(
  operation: Operation,
): ((text: unknown, expanded?: readonly string[]) => Select) | undefined {
  const resource = resourceOf(operation);
  if (!resource) return undefined;
  const { name, schema } = resource;
  const related = z.object(
    Object.fromEntries((operation.relations ?? []).map((one) => [one.name, one.target.schema as z.ZodType])),
  );
  return (text, expanded = []) => {
    const { [FIELDS]: names } = checkInput({ input }, { [FIELDS]: text });
    const selected = readFields(String(names), [schema, related]);
    const fields = selected && new Map([...expanded.map((one) => [one, undefined] as const), ...selected]);
    return (result) => withSelected(result as Readonly<Record<string, unknown>>, name, fields);
  };
}

const withSelected = (result: Readonly<Record<string, unknown>>, name: string, fields: Fields | undefined) =>
  name in result ? { ...result, [name]: pickFields(result[name], fields) } : result;

interface Member {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  readonly kind: 'object' | 'list' | 'other';
}

/**
 * Returns the member of a response that contains the resource. The members `result` and `version` do not count.
 *
 * - A response with one other member: this member.
 * - A detail: the first object.
 * - A list: the only list.
 *
 * Returns undefined for public responses and for responses in the form of other standards.
 */
export function resourceOf({
  rest,
  input: inputSchema,
  output,
  callers,
  writes,
  streams,
}: Operation): Member | undefined {
  if (rest.method !== 'get' || writes || streams || rest.produces !== undefined || callers.includes('anonymous'))
    return;
  if (!(output instanceof z.ZodObject) || !('result' in output.shape)) return;
  const members = Object.entries(output.shape as Readonly<Record<string, z.core.$ZodType>>)
    .filter(([name]) => name !== 'result' && name !== 'version')
    .map(([name, schema]): Member => ({ name, schema, kind: kindOf(schema) }));
  const objects = members.filter(({ kind }) => kind === 'object');
  const lists = members.filter(({ kind }) => kind === 'list');
  if (members.length === 1) return objects[0] ?? lists[0];
  if (/:\w+$/.test(rest.path)) return objects[0];
  return lists.length === 1 && ('per_page' in inputSchema.shape || 'limit' in inputSchema.shape) ? lists[0] : undefined;
}

function kindOf(schema: z.core.$ZodType): Member['kind'] {
  const { type, innerType, element } = schema._zod.def as unknown as {
    readonly type: string;
    readonly innerType?: z.core.$ZodType;
    readonly element?: z.core.$ZodType;
  };
  if (innerType) return kindOf(innerType);
  if (element) return kindOf(element) === 'object' ? 'list' : 'other';
  return type === 'object' || type === 'union' ? 'object' : 'other';
}
