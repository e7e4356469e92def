/**
 * The statement that reads data through grants: it checks the grants, counts the rows, returns a page, and records the
 * use.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { BY_ID, nextAfter } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { isAfter, type After, type Range } from '../core/page.js';
import type { Via } from './active-grants.js';

export interface ShownParts {
  /** The active grants: `granted`. */
  readonly granted: RawBuilder<unknown>;
  /** Rows with `alliance_id`, `grant_id` and `id`, from `granted`. */
  readonly shown: RawBuilder<unknown>;
  /** Records the use, from `found`. */
  readonly used: RawBuilder<unknown>;
  /** Additional columns of `found`, each preceded by a comma. */
  readonly more?: RawBuilder<unknown>;
  /** Absent: by `id`. */
  readonly order?: RawBuilder<unknown>;
}

export interface Shown<Row> {
  /** Whether there is any grant. Without one, the caller must not learn whether there are rows. */
  readonly granted: boolean;
  readonly total: number;
  readonly next: After | undefined;
  readonly found: readonly { readonly via: Via; readonly row: Row }[];
}

export async function readShown<Row extends { readonly id: number }>(
  database: Kysely<Database>,
  { granted, shown, used, more = sql``, order }: ShownParts,
  range: Range,
): Promise<Shown<Row>> {
  const { offset, limit, after } = range;
  const sorted = (!after && order) || sql`id`;
  const { rows } = await sql<Via & { readonly id: number | null; readonly total: number; readonly is_more: boolean }>`
    with granted as (${granted}), shown as (${shown}), ahead as (
      select * from shown where ${isAfter(after, BY_ID)} order by ${sorted} offset ${after ? 0 : offset} limit ${limit + 1}
    ), found as (
      select * from ahead order by ${sorted} limit ${limit}
    ), used as (${used})
    select found.*, (select count(*) from shown)::int as total, (select count(*) > ${limit} from ahead) as is_more ${more}
      from (select from granted limit 1) is_granted left join found on true order by ${sorted}`.execute(database);
  const found = rows.filter(({ id }) => id !== null);
  return {
    granted: rows.length > 0,
    total: rows[0]?.total ?? 0,
    next: rows[0]?.is_more ? nextAfter(found, range, BY_ID, order !== undefined) : undefined,
    found: found.map(({ alliance_id, grant_id, total: _total, is_more: _isMore, ...row }) => ({
      via: { alliance_id, grant_id },
      row: row as unknown as Row,
    })),
  };
}
