/** Where a page of a list ends, in values that never change. */
import { z } from 'zod';

/** The values of the key columns of one row. */
export type Key = readonly (number | string)[];

/** Where the next page begins. */
export interface After {
  /** Rows behind this one in the order of the key; absent: from the first row. */
  readonly key?: Key | undefined;
  /** Rows of the first page, which was sorted otherwise: they are left out. */
  readonly seen: readonly Key[];
}

export interface Range {
  readonly offset: number;
  readonly limit: number;
  /** The page begins there, and not at the offset. */
  readonly after?: After | undefined;
}

/** Columns that are unique together, never null and never change. */
export interface ListKey {
  readonly columns: Readonly<Record<string, z.ZodType<number | string>>>;
  /** All columns, else none of them. */
  readonly descending?: boolean;
}

const integer = z.int().min(-2_147_483_648).max(2_147_483_647);
/** PostgreSQL stores no NUL in texts. */
const text = z
  .string()
  .max(1_000)
  .refine((value) => !value.includes('\0'));
/** RFC 3339 in UTC. */
const instant = z.iso.datetime().max(30);
/** A `timestamptz` to the microsecond: a Date would cut it. */
export const asInstant = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
/** What values of key columns are. */
export const KEY = { integer, text, instant, uuid: z.guid() };

export const BY_ID: ListKey = { columns: { id: integer } };
export const NEWEST_FIRST: ListKey = { columns: { id: integer }, descending: true };

/** The place in the list is one of another list, or was not made by this service. */
export class KeyMismatch extends Error {
  override readonly name = 'KeyMismatch';
}

/** Throws KeyMismatch where its keys do not fit the columns. */
export function validAfter(after: After, columns: ListKey['columns']): After {
  const schemas = Object.values(columns);
  const fits = (key: Key) =>
    key.length === schemas.length && schemas.every((schema, index) => schema.safeParse(key[index]).success);
  if (![...(after.key ? [after.key] : []), ...after.seen].every(fits)) throw new KeyMismatch();
  return after;
}

/** The place behind one row, as values of a statement: null each where there is none. Throws KeyMismatch. */
export function valuesAfter(after: After | undefined, { columns }: ListKey): readonly (number | string | null)[] {
  const key = after && validAfter(after, columns).key;
  if (after && (!key || after.seen.length > 0)) throw new KeyMismatch();
  return Object.keys(columns).map((_, index) => key?.[index] ?? null);
}

/** The first `limit` of rows that were read with one more, and where the next page begins. */
export function firstOf<Row>(found: readonly Row[], range: Range, key: Columns, isSorted = false) {
  const rows = found.slice(0, range.limit);
  return { rows, next: found.length > range.limit ? nextAfter(rows, range, key, isSorted) : undefined };
}

type Columns = Pick<ListKey, 'columns'>;

/**
 * Where the page begins that follows these rows. `isSorted`: pages by number are in another order than that of the key;
 * then only the first one of these can be continued.
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

/** Surely passed: only numbers are in the same order here and in the database. */
const isBefore = ([one]: Key, [other]: Key): boolean =>
  typeof one === 'number' && typeof other === 'number' && one < other;
