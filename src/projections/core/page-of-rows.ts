/** One page of rows that are in memory. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { firstOf, KEY, validAfter, type Range } from '../../sql/page-key.js';
import type { Page } from './page.js';

const columns = { key: z.union([KEY.integer, KEY.text]) };

/**
 * Pages by number follow the order of the rows. Pages after a cursor follow the order of the keys, which are unique and
 * never change. Text keys are shortened. Throws `KeyMismatch`.
 */
export function pageOfRows<Row>(all: readonly Row[], range: Range, keyOf: (row: Row) => number | string): Page<Row> {
  const { offset, limit, after } = range;
  const keyed = all.map((row) => ({ row, key: shortened(keyOf(row)) }));
  const found = after ? rowsAfter(keyed, validAfter(after, columns)) : keyed.slice(offset);
  const { rows, next } = firstOf(found.slice(0, limit + 1), range, { columns }, true);
  return { total: all.length, rows: rows.map(({ row }) => row), next };
}

interface Keyed {
  readonly key: number | string;
}

function rowsAfter<R extends Keyed>(rows: readonly R[], { key: [last] = [], seen }: NonNullable<Range['after']>): R[] {
  const left = new Set(seen.map(([key]) => key));
  return rows
    .filter(({ key }) => (last === undefined || key > last) && !left.has(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Text keys are replaced by a short hash, because one cursor may contain 200 keys. */
const shortened = (key: number | string): number | string =>
  typeof key === 'number' ? key : createHash('sha256').update(key).digest('base64url').slice(0, 11);
