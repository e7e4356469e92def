/**
 * One page of a list, with the total number of rows. A page begins at an offset, or after the last row of the previous
 * page. In the second case, rows that change between two requests are neither skipped nor repeated.
 */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { firstOf, validAfter, type After, type ListKey, type Range } from '../../sql/page-key.js';

export type { After, Range } from '../../sql/page-key.js';

export interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
  /** Where the next page begins. Undefined: this is the last page, or the next page can only be requested by number. */
  readonly next: After | undefined;
}

type Sort<DB, T extends keyof DB, Row> = (query: SelectQueryBuilder<DB, T, Row>) => SelectQueryBuilder<DB, T, Row>;

/**
 * `key`: the columns that identify a row and never change; pages follow their order. `sort`: a different order for
 * pages that are requested by number. No two rows may be equal in that order.
 */
export async function pageOf<DB, T extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, T, Row>,
  range: Range,
  key: ListKey,
  sort?: Sort<DB, T, Row>,
): Promise<Page<Row>> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll<string>().as('total'));
  const { total } = (await counted.executeTakeFirstOrThrow()) as { readonly total: string };
  const rows =
    sort && !range.after
      ? sort(query).offset(range.offset)
      : Object.keys(key.columns)
          .reduce((sorted, column) => sorted.orderBy(sql.ref(column), key.descending ? 'desc' : 'asc'), query)
          .where(isAfter(range.after, key))
          .offset(range.after ? 0 : range.offset);
  return {
    total: Number(total),
    ...firstOf(await rows.limit(range.limit + 1).execute(), range, key, sort !== undefined),
  };
}

/** SQL condition: the row belongs to the pages after `after`. Throws `KeyMismatch`. */
export function isAfter(after: After | undefined, { columns, descending }: ListKey): RawBuilder<boolean> {
  if (!after) return sql<boolean>`true`;
  const { key, seen } = validAfter(after, columns);
  const row = sql`(${sql.join(Object.keys(columns).map((column) => sql.ref(column)))})`;
  const values = (one: readonly unknown[]) => sql`(${sql.join(one.map((value) => sql.val(value)))})`;
  const behind = key ? sql`${row} ${descending ? sql`<` : sql`>`} ${values(key)}` : sql`true`;
  const unseen = seen.length > 0 ? sql`${row} not in (${sql.join(seen.map(values))})` : sql`true`;
  return sql<boolean>`${behind} and ${unseen}`;
}
