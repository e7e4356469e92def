/**
 * What a tool answers, as a JSON Schema that every answer of it fits. A write may also be tried (dry run) or queued for
 * a human, and a document may come as a file: these answers are listed next to the operation's own.
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

/** `isSelected`: the call selects members, and null members are left out. */
export function answerSchema(
  { output, writes }: Pick<Operation, 'output' | 'writes'>,
  { isSelected }: { readonly isSelected: boolean },
): JsonSchema {
  // What is no object of its own is a document of some standard, or comes as a file.
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

/** The object itself is at the root: the protocol allows no reference there. */
function rooted({ $ref, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  const definitions = schema['$defs'] as Record<string, object> | undefined;
  return name === undefined ? schema : { ...definitions?.[name], ...schema };
}

/** An answer may gain members: who reads it must not refuse them. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, member]) => !(key === 'additionalProperties' && member === false),
  );
  return Object.fromEntries(entries.map(([key, member]) => [key, open(member)]));
}

/** Any member may be absent. */
function optional(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(optional);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, member]) => !(key === 'required' && Array.isArray(member)));
  return Object.fromEntries(entries.map(([key, member]) => [key, optional(member)]));
}
