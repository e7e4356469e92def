/** Inputs that would derive a hidden value from a response: generated from the schema of each operation. */
import type { z } from 'zod';
import type { Operation } from '../../../../src/api/core/operation.js';
import { isFullDepth } from '../../depth.js';
import type { Input } from '../table.js';
import { HIDDEN_COLUMN } from './world.js';

/** Members that address a page or select members of the response, but no content. */
const PAGING: ReadonlySet<string> = new Set([
  'page',
  'per_page',
  'perPage',
  'cursor',
  'fields',
  'expand',
  'nextPageToken',
  'wait_s',
]);

/** Parts of the value that a caller could guess: whole, words, a beginning and an end. */
const partsOf = (value: string): string[] => {
  const words = value.split(' ');
  return [value, ...words, value.slice(0, -1), value.slice(0, 4), value.slice(-3)];
};

/** Values for a member: texts, lists of texts, conditions and sort orders on the hidden column. */
const candidates = (text: string): unknown[] => [
  text,
  [text],
  [{ column: HIDDEN_COLUMN, op: 'eq', value: text }],
  [{ column: HIDDEN_COLUMN, op: 'contains', value: text }],
  [{ column: HIDDEN_COLUMN, op: 'starts_with', value: text }],
  [{ column: HIDDEN_COLUMN, op: 'empty', value: false }],
  [{ column: HIDDEN_COLUMN, desc: true }],
  [{ column: 'keeper', op: 'eq', value: text }],
  [HIDDEN_COLUMN],
  { street: text },
  [{ street: text }],
];

/** `base`, and copies in which one member asks for a part of one of the hidden values. */
export function probesOf({ input }: Operation, base: Input, values: readonly string[]): Input[] {
  const probes = [base];
  const texts = isFullDepth ? values.flatMap(partsOf) : values.flatMap((value) => partsOf(value).slice(0, 2));
  for (const [member, schema] of Object.entries(input.shape)) {
    if (PAGING.has(member) || member.endsWith('_id') || member === 'token') continue;
    const accepted = new Map<string, unknown>();
    for (const text of texts)
      for (const value of candidates(text))
        if ((schema as z.ZodType).safeParse(value).success) accepted.set(JSON.stringify(value), value);
    for (const value of accepted.values()) probes.push({ ...base, [member]: value });
  }
  return probes;
}
