/** Questions to carriers about parcels and voids, and when they are due. One process asks them. */
import type { ClientBase, Pool } from 'pg';
import { PARCEL_COLUMNS, type LabelParcel } from './label-parcels.js';

/** `tracking`: events of a parcel. `void`: the voids of an order that the carrier has accepted. */
export type LabelPollKind = 'tracking' | 'void';

export interface LabelPollKey {
  readonly kind: LabelPollKind;
  readonly orderId: number;
  /** `tracking`: id of the timeline. `void`: empty. */
  readonly about: string;
}

export interface NewLabelPoll extends LabelPollKey {
  readonly accountId: number;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  readonly nextAt: number;
}

export interface DueLabelPoll extends LabelPollKey {
  readonly begunAt: Date;
  /** Number of polls that have ended. */
  readonly polls: number;
  /** Only of a poll about a parcel; null: the number belongs to a newer order. */
  readonly parcel: LabelParcel | null;
}

export type LabelPolls = ReturnType<typeof createLabelPolls>;

/** Longer than the time after which polls end. */
const KEPT_DAYS = 50;

/** The accounts that have polls, without reading all their rows. */
const ACCOUNTS = `with recursive accounts as (
    (select account_id from access.label_polls order by account_id limit 1)
    union all
    select next.account_id from accounts a cross join lateral
      (select account_id from access.label_polls where account_id > a.account_id order by account_id limit 1) next
  )`;

export function createLabelPolls(pool: Pool) {
  return {
    /** Adds polls in the transaction of `db`. Polls about voids begin again, because something new can be expected. */
    async add(db: ClientBase, polls: readonly NewLabelPoll[]): Promise<void> {
      await db.query(
        `insert into access.label_polls as known (kind, order_id, about, account_id, begun_at, next_at)
         select distinct on (kind, order_id, about) kind, order_id, about, account_id, to_timestamp(begun / 1000.0), to_timestamp(next / 1000.0)
           from unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::float8[], $6::float8[]) added (kind, order_id, about, account_id, begun, next)
          order by kind, order_id, about, begun desc
         on conflict (kind, order_id, about) do update
           set begun_at = excluded.begun_at, next_at = least(known.next_at, excluded.next_at), polls = 0
           where excluded.kind = 'void' and known.begun_at < excluded.begun_at`,
        [
          polls.map(({ kind }) => kind),
          polls.map(({ orderId }) => orderId),
          polls.map(({ about }) => about),
          polls.map(({ accountId }) => accountId),
          polls.map(({ begunAt }) => begunAt),
          polls.map(({ nextAt }) => nextAt),
        ],
      );
    },

    /** Accounts with a due poll except these, the longest due first. */
    async dueAccounts(except: readonly number[], limit: number): Promise<readonly number[]> {
      const { rows } = await pool.query<{ account_id: number }>({
        name: 'label-polls-accounts',
        text: `${ACCOUNTS}
               select account_id from accounts cross join lateral
                 (select next_at from access.label_polls p where p.account_id = accounts.account_id order by next_at limit 1) first
                where next_at <= now() and account_id <> all ($1::int[]) order by next_at, account_id limit $2`,
        values: [except, limit],
      });
      return rows.map(({ account_id }) => account_id);
    },

    /** Due polls of one account, the longest due first. */
    async due(accountId: number, limit: number): Promise<readonly DueLabelPoll[]> {
      const { rows } = await pool.query<LabelPollKey & LabelParcel & { begunAt: Date; polls: number; tracking: null }>({
        name: 'label-polls-due',
        text: `select p.kind, p.order_id as "orderId", p.about, p.begun_at as "begunAt", p.polls, to_json(parcel) as parcel
                 from (select * from access.label_polls where account_id = $1 and next_at <= now() order by next_at limit $2) p
                 left join lateral (select ${PARCEL_COLUMNS} from access.label_parcels l
                    where p.kind = 'tracking' and l.tracking = nullif(p.about, '')::uuid and l.order_id = p.order_id) parcel on true
                order by p.next_at`,
        values: [accountId, limit],
      });
      return rows as unknown as readonly DueLabelPoll[];
    },

    /** Ends polls. `afterMs`: time until the next one; undefined: there is none. */
    async ended(polls: readonly (LabelPollKey & { readonly afterMs: number | undefined })[]): Promise<void> {
      const over = polls.filter(({ afterMs }) => afterMs === undefined);
      const next = polls.filter(({ afterMs }) => afterMs !== undefined);
      if (over.length > 0)
        await pool.query(
          `delete from access.label_polls p using unnest($1::text[], $2::int[], $3::text[]) over (kind, order_id, about)
            where p.kind = over.kind and p.order_id = over.order_id and p.about = over.about`,
          keysOf(over),
        );
      if (next.length > 0)
        await pool.query(
          `update access.label_polls p set next_at = now() + make_interval(secs => ms / 1000.0), polls = polls + 1
             from unnest($1::text[], $2::int[], $3::text[], $4::float8[]) next (kind, order_id, about, ms)
            where p.kind = next.kind and p.order_id = next.order_id and p.about = next.about`,
          [...keysOf(next), next.map(({ afterMs }) => afterMs)],
        );
    },

    /** Deletes polls that a broken account has kept for longer than any poll lasts. */
    async forgetOld(): Promise<void> {
      await pool.query('delete from access.label_polls where begun_at < now() - make_interval(days => $1)', [
        KEPT_DAYS,
      ]);
    },
  };
}

const keysOf = (polls: readonly LabelPollKey[]) => [
  polls.map(({ kind }) => kind),
  polls.map(({ orderId }) => orderId),
  polls.map(({ about }) => about),
];
