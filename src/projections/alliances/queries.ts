/**
 * Queries on the read model of alliances. Each query names the calling business. Businesses outside an
 * alliance do not find it.
 */
import { sql, type RawBuilder } from 'kysely';
import { asInstant, BY_ID, firstOf, KEY, valuesAfter, type ListKey } from '../../sql/page-key.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';
import { openRows } from '../core/sealed-members.js';
import type { AllianceRow, MemberRow } from './read-model.js';

export interface Member extends Omit<MemberRow, 'sealed'> {
  readonly business_id: number;
  readonly contact?: string;
}

/** One read access through a grant. */
export interface AllianceUse {
  readonly grant_id: number;
  readonly by_business: number;
  readonly user_id: number;
  readonly operation: string;
  readonly subject: string;
  readonly used_at: Date;
  /** The same time in microseconds. */
  readonly at: string;
}

export type AllianceQueries = ReturnType<typeof createAllianceQueries>;

const RETENTION_DAYS = 400;

/** `at`: the time of use. */
const NEWEST_USE: ListKey = {
  columns: { at: KEY.instant, grant_id: KEY.integer, user_id: KEY.integer, operation: KEY.text, subject: KEY.text },
};

export type AllianceQueriesOptions = Parts<'database' | 'pool' | 'keyRing' | 'now'>;

export function createAllianceQueries({ database, pool, keyRing, now }: AllianceQueriesOptions) {
  const time = (): string => new Date(now()).toISOString();
  const concerns = (business: number): RawBuilder<boolean> =>
    sql<boolean>`(joined @> array[${business}::int] or (invited @> array[${business}::int]
      and members -> ${String(business)}::text ->> 'expires_at' > ${time()}))`;
  const seen = (business: number) =>
    database.selectFrom('alliances.alliances').where('dissolved', '=', false).where(concerns(business)).selectAll();

  return {
    /** Alliances that the business belongs to or is invited to, sorted by id. */
    list: (range: Range, business: number): Promise<Page<AllianceRow>> => pageOf(seen(business), range, BY_ID),
    byId: (id: number, business: number): Promise<AllianceRow | undefined> =>
      seen(business).where('id', '=', id).executeTakeFirst(),
    /** Number of alliances that the business belongs to. */
    async countJoined(business: number): Promise<number> {
      const { total } = await database
        .selectFrom('alliances.alliances')
        .where('dissolved', '=', false)
        .where(sql<boolean>`joined @> array[${business}::int]`)
        .select(({ fn }) => fn.countAll().as('total'))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    /** Members and open invitations. */
    async membersOf({ members }: AllianceRow): Promise<readonly Member[]> {
      const at = time();
      const rows = Object.entries(members)
        .filter(([, { expires_at }]) => expires_at === undefined || expires_at > at)
        .map(([id, { sealed, ...member }]) => ({
          business_id: Number(id),
          ...member,
          sealed: sealed === undefined ? [] : [sealed],
        }));
      return openRows<{ contact?: string }, (typeof rows)[number]>(rows, keyRing);
    },
    /** Codes and names of businesses, by id. */
    async businesses(
      ids: readonly number[],
    ): Promise<ReadonlyMap<number, { readonly code: string; readonly name: string }>> {
      const rows = await database
        .selectFrom('businesses.businesses')
        .where('id', 'in', [-1, ...ids])
        .select(['id', 'code', 'name'])
        .execute();
      return new Map(rows.map(({ id, ...named }) => [id, named]));
    },
    /** Read accesses through the grants of `business` in the alliance, newest first. */
    async uses(range: Range, allianceId: number, business: number): Promise<Page<AllianceUse>> {
      const from = 'from access.alliance_uses where alliance_id = $1 and from_business = $2';
      const counted = await pool.query<{ total: number }>(`select count(*)::int as total ${from}`, [
        allianceId,
        business,
      ]);
      const { offset, limit, after } = range;
      const { rows } = await pool.query<AllianceUse>(
        `select grant_id, by_business, user_id, operation, subject, used_at, ${asInstant('used_at')} as at ${from}
            and ($5::timestamptz is null or (used_at, grant_id, user_id, operation, subject) < ($5, $6::int, $7::int, $8, $9))
          order by used_at desc, grant_id desc, user_id desc, operation desc, subject desc offset $3 limit $4`,
        [allianceId, business, after ? 0 : offset, limit + 1, ...valuesAfter(after, NEWEST_USE)],
      );
      return { total: counted.rows[0]!.total, ...firstOf(rows, range, NEWEST_USE) };
    },
    /** Removes uses that are older than 400 days. */
    async sweep(): Promise<void> {
      await pool.query('delete from access.alliance_uses where used_at < now() - make_interval(days => $1)', [
        RETENTION_DAYS,
      ]);
    },
  };
}
