/**
 * The JSON Schema that every result of a tool satisfies. A write can also return a preview (dry run) or a queued
 * proposal, so these results are listed next to the result of the operation.
 */
import { z } from 'zod';
import type { Operation } from '../core/operation.js';
import type { JsonSchema } from './portable-schema.js';

const ANY_OBJECT: JsonSchema = { type: 'object' };
const DRY_RUN_RESULT: JsonSchema = {
  properties: {
    dry_run: { const: true },
    note: { type: 'string' },
    would_append: { type: 'array' },
    would_answer: { type: 'object' },
  },
  required: ['dry_run', 'would_append'],
};
const QUEUED_RESULT: JsonSchema = {
  properties: {
    queued: { const: true },
    proposal_id: { type: 'string' },
    status: { type: 'string' },
    url: { type: 'string' },
    approvers: { type: 'object' },
    expires_at: { type: 'string' },
  },
  required: ['queued', 'proposal_id'],
};

/** `isSelected`: the call selects members, and null members are omitted. */
export function toolOutputSchema(
  { output, writes }: Pick<Operation, 'output' | 'writes'>,
  { isSelected }: { readonly isSelected: boolean },
): JsonSchema {
  // An output that is not an object is a document of another standard or a file.
  if (!(output instanceof z.ZodObject)) return ANY_OBJECT;
  const schema = outputSchema(output);
  const own = (isSelected ? optional(schema) : schema) as Record<string, unknown>;
  if (!writes) return own;
  const { $defs, type: _type, ...rest } = own;
  return { type: 'object', anyOf: [rest, DRY_RUN_RESULT, QUEUED_RESULT], ...($defs !== undefined && { $defs }) };
}

/** The schema of a response, which also accepts members of later versions. */
export function outputSchema(output: z.ZodObject): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(output, {
    target: 'draft-2020-12',
    io: 'output',
    unrepresentable: 'any',
  }) as Record<string, unknown>;
  return inlineRoot(allowAdditional(schema) as Record<string, unknown>);
}

/** Moves a referenced object to the root, because the protocol allows no reference there. */
function inlineRoot({ $ref, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  const definitions = schema['$defs'] as Record<string, object> | undefined;
  return name === undefined ? schema : { ...definitions?.[name], ...schema };
}

/**
 * Allows additional members: later versions may add some, and readers must accept them. A list of types becomes
 * alternatives, because some clients accept only a single type.
 */
function allowAdditional(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(allowAdditional);
  if (typeof value !== 'object' || value === null) return value;
  const { type } = value as { type?: unknown };
  const entries = Object.entries(value)
    .filter(([key, member]) => !(key === 'additionalProperties' && member === false))
    .map(([key, member]): [string, unknown] =>
      key === 'type' && Array.isArray(type) ? ['anyOf', type.map((one: unknown) => ({ type: one }))] : [key, member],
    );
  return Object.fromEntries(entries.map(([key, member]) => [key, allowAdditional(member)]));
}

/** Makes every member optional. */
function optional(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(optional);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, member]) => !(key === 'required' && Array.isArray(member)));
  return Object.fromEntries(entries.map(([key, member]) => [key, optional(member)]));
}
