/**
 * The JSON Schema that every result of a tool satisfies. A write can also return a preview (dry run) or a queued
 * proposal, so these results are listed next to the result of the operation.
 */
import { z } from 'zod';
import type { Operation } from '../core/operation.js';
import type { JsonSchema } from './portable-schema.js';

const ANYTHING: JsonSchema = { type: 'object' };
const TRIED: JsonSchema = {
  properties: {
    dry_run: { const: true },
    note: { type: 'string' },
    would_append: { type: 'array' },
    would_answer: { type: 'object' },
  },
  required: ['dry_run', 'would_append'],
};
const QUEUED: JsonSchema = {
  properties: { queued: { const: true }, proposal_id: { type: 'string' }, status: { type: 'string' } },
  required: ['queued', 'proposal_id'],
};

/** `isSelected`: the call selects members, and null members are omitted. */
export function answerSchema(
  { output, writes }: Pick<Operation, 'output' | 'writes'>,
  { isSelected }: { readonly isSelected: boolean },
): JsonSchema {
  // An output that is not an object is a document of another standard or a file.
  if (!(output instanceof z.ZodObject)) return ANYTHING;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(output, {
    target: 'draft-2020-12',
    io: 'output',
    unrepresentable: 'any',
  }) as Record<string, unknown>;
  const own = rooted((isSelected ? optional(open(schema)) : open(schema)) as Record<string, unknown>);
  if (!writes) return own;
  const { $defs, type: _type, ...rest } = own;
  return { type: 'object', anyOf: [rest, TRIED, QUEUED], ...($defs !== undefined && { $defs }) };
}

/** Moves a referenced object to the root, because the protocol allows no reference there. */
function rooted({ $ref, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  const definitions = schema['$defs'] as Record<string, object> | undefined;
  return name === undefined ? schema : { ...definitions?.[name], ...schema };
}

/** Allows additional members: later versions may add some, and readers must accept them. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, member]) => !(key === 'additionalProperties' && member === false),
  );
  return Object.fromEntries(entries.map(([key, member]) => [key, open(member)]));
}

/** Makes every member optional. */
function optional(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(optional);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, member]) => !(key === 'required' && Array.isArray(member)));
  return Object.fromEntries(entries.map(([key, member]) => [key, optional(member)]));
}
