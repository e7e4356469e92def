/** Questions to the read model of alliances. Each names the business that asks: to others an alliance is not there. */
import { sql, type RawBuilder } from 'kysely';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';
import { openRows } from '../core/sealed-members.js';
import type { AllianceRow, MemberRow } from './read-model.js';

export interface Member extends Omit<MemberRow, 'sealed'> {
  readonly business_id: number;
  readonly contact?: string;
}

/** One reading of something through a grant. */
export interface AllianceUse {
  readonly grant_id: number;
  readonly by_business: number;
  readonly user_id: number;
  readonly operation: string;
  readonly subject: string;
  readonly used_at: Date;
}

export interface AllianceQueries {
  /** Those that the business belongs to or may join, in the order of their ids. */
  list(range: Range, business: number): Promise<Page<AllianceRow>>;
  byId(id: number, business: number): Promise<AllianceRow | undefined>;
  /** How many the business belongs to. */
  countJoined(business: number): Promise<number>;
  /** With those invitations that can still be answered, by their ids. */
  membersOf(alliance: AllianceRow): Promise<readonly Member[]>;
  /** Codes and names of businesses, by their ids. */
  businesses(ids: readonly number[]): Promise<ReadonlyMap<number, { readonly code: string; readonly name: string }>>;
  /** What was read through the grants of `business` in the alliance, newest first. */
  uses(range: Range, allianceId: number, business: number): Promise<Page<AllianceUse>>;
  /** Removes uses that are older than 400 days. */
  sweep(): Promise<void>;
}

const KEPT_DAYS = 400;

export type AllianceQueriesOptions = Parts<'database' | 'pool' | 'keyRing' | 'now'>;

export function createAllianceQueries({ database, pool, keyRing, now }: AllianceQueriesOptions): AllianceQueries {
  const time = (): string => new Date(now()).toISOString();
  const concerns = (business: number): RawBuilder<boolean> =>
    sql<boolean>`(joined @> array[${business}::int] or (invited @> array[${business}::int]
      and members -> ${String(business)}::text ->> 'expires_at' > ${time()}))`;
  const seen = (business: number) =>
    database.selectFrom('alliances.alliances').where('dissolved', '=', false).where(concerns(business)).selectAll();

  return {
    list: (range, business) => pageOf(seen(business), range, (query) => query.orderBy('id')),
    byId: (id, business) => seen(business).where('id', '=', id).executeTakeFirst(),
    async countJoined(business) {
      const { total } = await database
        .selectFrom('alliances.alliances')
        .where('dissolved', '=', false)
        .where(sql<boolean>`joined @> array[${business}::int]`)
        .select(({ fn }) => fn.countAll().as('total'))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    async membersOf({ members }) {
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
    async businesses(ids) {
      const rows = await database
        .selectFrom('businesses.businesses')
        .where('id', 'in', [-1, ...ids])
        .select(['id', 'code', 'name'])
        .execute();
      return new Map(rows.map(({ id, ...named }) => [id, named]));
    },
    async uses({ offset, limit }, allianceId, business) {
      const from = 'from access.alliance_uses where alliance_id = $1 and from_business = $2';
      const counted = await pool.query<{ total: number }>(`select count(*)::int as total ${from}`, [
        allianceId,
        business,
      ]);
      const { rows } = await pool.query<AllianceUse>(
        `select grant_id, by_business, user_id, operation, subject, used_at ${from}
          order by used_at desc, grant_id, user_id, operation, subject offset $3 limit $4`,
        [allianceId, business, offset, limit],
      );
      return { total: counted.rows[0]!.total, rows };
    },
    async sweep() {
      await pool.query('delete from access.alliance_uses where used_at < now() - make_interval(days => $1)', [
        KEPT_DAYS,
      ]);
    },
  };
}
