/** The end of a page of a list, as key values that never change. */
import { z } from 'zod';

/** The values of the key columns of one row. */
export type Key = readonly (number | string)[];

/** Start of the next page. */
export interface After {
  /** The page starts after this row in the order of the key; absent: at the first row. */
  readonly key?: Key | undefined;
  /** Rows of the first page, which had another order: they are excluded. */
  readonly seen: readonly Key[];
}

export interface Range {
  readonly offset: number;
  readonly limit: number;
  /** If set, the page starts here instead of at the offset. */
  readonly after?: After | undefined;
}

/** Key columns, which are unique together, never null and never changed. */
export interface ListKey {
  readonly columns: Readonly<Record<string, z.ZodType<number | string>>>;
  /** Whether all columns are descending; otherwise all are ascending. */
  readonly descending?: boolean;
}

const integer = z.int().min(-2_147_483_648).max(2_147_483_647);
/** PostgreSQL cannot store NUL in texts. */
const text = z
  .string()
  .max(1_000)
  .refine((value) => !value.includes('\0'));
/** RFC 3339 in UTC. */
const instant = z.iso.datetime().max(30);
/** A `timestamptz` with microseconds, which a Date would truncate. */
export const asInstant = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
/** Schemas for the values of key columns. */
export const KEY = { integer, text, instant, uuid: z.guid() };

export const BY_ID: ListKey = { columns: { id: integer } };
export const NEWEST_FIRST: ListKey = { columns: { id: integer }, descending: true };

/** The position belongs to another list, or was not created by this service. */
export class KeyMismatch extends Error {
  override readonly name = 'KeyMismatch';
}

/** Returns `after`. Throws KeyMismatch if its keys do not match the columns. */
export function validAfter(after: After, columns: ListKey['columns']): After {
  const schemas = Object.values(columns);
  const fits = (key: Key) =>
    key.length === schemas.length && schemas.every((schema, index) => schema.safeParse(key[index]).success);
  if (![...(after.key ? [after.key] : []), ...after.seen].every(fits)) throw new KeyMismatch();
  return after;
}

/** The position after one row, as parameters of a statement; all null without a position. Throws KeyMismatch. */
export function valuesAfter(after: After | undefined, { columns }: ListKey): readonly (number | string | null)[] {
  const key = after && validAfter(after, columns).key;
  if (after && (!key || after.seen.length > 0)) throw new KeyMismatch();
  return Object.keys(columns).map((_, index) => key?.[index] ?? null);
}

/**
 * Returns the first `limit` rows and the start of the next page. `found` must have been read with one row more than
 * `limit`.
 */
export function firstOf<Row>(found: readonly Row[], range: Range, key: Columns, isSorted = false) {
  const rows = found.slice(0, range.limit);
  return { rows, next: found.length > range.limit ? nextAfter(rows, range, key, isSorted) : undefined };
}

type Columns = Pick<ListKey, 'columns'>;

/**
 * The start of the page that follows these rows. `isSorted`: numbered pages have another order than the key, so only
 * the first of them can be continued.
 */
export function nextAfter<Row>(
  rows: readonly Row[],
  { offset, after }: Range,
  { columns }: Columns,
  isSorted = false,
): After | undefined {
  const keyOf = (row: Row): Key =>
    Object.keys(columns).map((column) => (row as Readonly<Record<string, number | string>>)[column]!);
  if (isSorted && !after) return offset === 0 ? { seen: rows.map(keyOf) } : undefined;
  const key = keyOf(rows.at(-1)!);
  return { key, seen: (after?.seen ?? []).filter((one) => !isBefore(one, key)) };
}

/** Whether the row was certainly passed. Only numbers have the same order here and in the database. */
const isBefore = ([one]: Key, [other]: Key): boolean =>
  typeof one === 'number' && typeof other === 'number' && one < other;
