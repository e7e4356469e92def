/** The statement that reads what grants show: it judges the grants, counts, gives a page, and writes the use down. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '../core/database.js';
import type { Range } from '../core/page.js';
import type { Via } from './open.js';

export interface ShownParts {
  /** The grants that are open: `granted`. */
  readonly granted: RawBuilder<unknown>;
  /** Rows with `alliance_id`, `grant_id` and `id`, from `granted`. */
  readonly shown: RawBuilder<unknown>;
  /** The note of the use, from `found`. */
  readonly used: RawBuilder<unknown>;
  /** Further columns of `found`, each behind a comma. */
  readonly more?: RawBuilder<unknown>;
  /** Absent: by `id`. */
  readonly order?: RawBuilder<unknown>;
}

export interface Shown<Row> {
  /** Whether there is a grant at all; else nobody learns that there is nothing. */
  readonly granted: boolean;
  readonly total: number;
  readonly found: readonly { readonly via: Via; readonly row: Row }[];
}

export async function readShown<Row extends { readonly id: number }>(
  database: Kysely<Database>,
  { granted, shown, used, more = sql``, order = sql`id` }: ShownParts,
  { offset, limit }: Range,
): Promise<Shown<Row>> {
  const { rows } = await sql<Via & { readonly id: number | null; readonly total: number }>`
    with granted as (${granted}), shown as (${shown}), found as (
      select * from shown order by ${order} offset ${offset} limit ${limit}
    ), used as (${used})
    select found.*, (select count(*) from shown)::int as total ${more}
      from (select from granted limit 1) is_granted left join found on true order by ${order}`.execute(database);
  return {
    granted: rows.length > 0,
    total: rows[0]?.total ?? 0,
    found: rows
      .filter(({ id }) => id !== null)
      .map(({ alliance_id, grant_id, total: _total, ...row }) => ({
        via: { alliance_id, grant_id },
        row: row as unknown as Row,
      })),
  };
}
