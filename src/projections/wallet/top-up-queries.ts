/** Queries on top-ups. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import { NEWEST_FIRST } from '../../sql/page-key.js';
import { arrayOf } from '../../sql/rows.js';
import { batched } from '../../sql/batched.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { TopUpRow, TopUpStatus } from './top-ups.js';

/** A top-up at a moment, with decrypted personal data. An erased top-up has none. */
export interface TopUp extends Omit<TopUpRow, 'sealed'> {
  readonly bank_reference?: string;
}

/** The viewing business. `accountId`: only the top-ups of this customer. */
export interface TopUpViewer {
  readonly business: number;
  readonly accountId?: number | undefined;
}

export interface TopUpFilter extends Range {
  readonly status?: TopUpStatus | undefined;
  /** Only the top-up with this id. */
  readonly id?: number | undefined;
}

export type TopUpQueries = ReturnType<typeof createTopUpQueries>;

/** `now`: milliseconds since 1970. */
export function createTopUpQueries(database: Kysely<Database>, keyRing: KeyRing, now: () => number) {
  const time = () => new Date(now()).toISOString();
  const seenBy = ({ business, accountId }: TopUpViewer) =>
    database
      .selectFrom('topups.topups')
      .selectAll()
      .where('business', '=', business)
      .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!));

  const newestRows = batched(async (wanted: readonly { limit: number; viewer: Required<TopUpViewer> }[]) => {
    const integers = (values: readonly unknown[]) => sql`${arrayOf('integer', values)}::integer[]`;
    const { rows } = await sql<TopUpRow & { place: string }>`
      select k.place, newest.*
        from unnest(${integers(wanted.map(({ viewer }) => viewer.business))}, ${integers(wanted.map(({ viewer }) => viewer.accountId))}, ${integers(wanted.map(({ limit }) => limit))})
             with ordinality k (business, account, most, place)
       cross join lateral (select * from topups.topups t where t.business = k.business and t.account_id = k.account
                            order by t.id desc limit k.most) newest
       order by newest.id desc`.execute(database);
    const found = wanted.map((): TopUpRow[] => []);
    for (const { place, ...row } of rows) found[Number(place) - 1]!.push(row);
    return found;
  });

  async function open(rows: readonly TopUpRow[], at: string): Promise<TopUp[]> {
    const opened = await openRows<Pick<TopUp, 'bank_reference'>, TopUpRow>(rows, keyRing);
    return opened.map((row): TopUp => (hasLapsed(row, at) ? { ...row, status: 'expired' } : row));
  }

  return {
    async byId(id: number, viewer: TopUpViewer): Promise<TopUp | undefined> {
      return (await open(await seenBy(viewer).where('id', '=', id).execute(), time()))[0];
    },

    /** The newest top-ups of a customer, without their total number. */
    newest: async (limit: number, viewer: Required<TopUpViewer>): Promise<TopUp[]> =>
      open(await newestRows({ limit, viewer }), time()),

    /** Newest first. */
    async list({ status, id, ...range }: TopUpFilter, viewer: TopUpViewer): Promise<Page<TopUp>> {
      const at = time();
      const found = seenBy(viewer)
        .$if(id !== undefined, (query) => query.where('id', '=', id!))
        .$if(status !== undefined && status !== 'expired', (query) => query.where('status', '=', status!))
        .$if(status !== undefined && LAPSING.has(status), (query) => query.where('expires_at', '>', at))
        .$if(status === 'expired', (query) =>
          query.where((or) =>
            or.or([
              or('status', '=', 'expired'),
              or.and([or('status', 'in', [...LAPSING]), or('expires_at', '<=', at)]),
            ]),
          ),
        );
      const page = await pageOf(found, range, NEWEST_FIRST);
      return { ...page, rows: await open(page.rows, at) };
    },
  };
}

/** Statuses that end by the clock. */
const LAPSING: ReadonlySet<TopUpStatus> = new Set<TopUpStatus>(['pending', 'processing']);

/** Whether a pending top-up has expired by the clock. Both times are RFC 3339 in UTC. */
const hasLapsed = ({ status, expires_at }: Pick<TopUpRow, 'status' | 'expires_at'>, at: string): boolean =>
  LAPSING.has(status) && expires_at <= at;
