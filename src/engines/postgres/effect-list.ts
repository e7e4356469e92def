/** Lists effects of a business, together with the messages of its inbox. */
import type { Pool } from 'pg';
import { asInstant, firstOf, KEY, valuesAfter, type After, type ListKey, type Range } from '../../sql/page-key.js';

export const EFFECT_STATUSES = ['pending', 'open', 'done', 'refused'] as const;
export type EffectStatus = (typeof EFFECT_STATUSES)[number];

/** The kind of messages of the inbox. No kind of effect has this name. */
export const INBOX_KIND = 'inbox';
/** A message that fails this often is not processed again. */
export const MAX_INBOX_ATTEMPTS = 8;

export interface ListedEffect {
  readonly id: string;
  readonly kind: string;
  readonly status: EffectStatus;
  readonly about: string;
  readonly adapter: string;
  readonly account: string;
  readonly begunAt: Date;
  readonly attempts: number;
  readonly cause: string | undefined;
  /** The stream of the effect; undefined: a message of the inbox. */
  readonly stream: string | undefined;
}

export interface EffectFilter extends Range {
  readonly id?: string | undefined;
  readonly status?: EffectStatus | undefined;
  readonly kind?: string | undefined;
}

export type EffectList = ReturnType<typeof createEffectList>;

const NEWEST: ListKey = { columns: { at: KEY.instant, id: KEY.uuid }, descending: true };

const EFFECTS = `select effect_id as id, kind, case step when 'left_open' then 'open' when 'done' then step when 'refused' then step else 'pending' end as status,
                        about, adapter, account, begun_at, attempts, cause, stream, business from access.effects`;
const MESSAGES = `select id, '${INBOX_KIND}', case when done_at is not null then 'done' when next_at is null then 'open' else 'pending' end,
                         message_id, adapter, account, received_at, attempts, error, null, business from access.inbox`;

export function createEffectList(pool: Pool) {
  return {
    /** The newest first. */
    async list(
      business: number,
      { id, status, kind, ...range }: EffectFilter,
    ): Promise<{
      readonly total: number;
      readonly next: After | undefined;
      readonly effects: readonly ListedEffect[];
    }> {
      const { offset, limit, after } = range;
      const from = `from (${EFFECTS} where business = $1 union all ${MESSAGES} where business = $1) e
                    where ($2::uuid is null or id = $2) and ($3::text is null or status = $3) and ($4::text is null or kind = $4)`;
      const values = [business, id ?? null, status ?? null, kind ?? null];
      const [counted, found] = await Promise.all([
        pool.query<{ count: number }>(`select count(*)::int as count ${from}`, values),
        pool.query<{
          id: string;
          kind: string;
          status: EffectStatus;
          about: string;
          adapter: string;
          account: string;
          begun_at: Date;
          attempts: number;
          cause: string | null;
          stream: string | null;
          at: string;
        }>(
          `select id, kind, status, about, adapter, account, begun_at, attempts, cause, stream, ${asInstant('begun_at')} as at ${from}
              and ($7::timestamptz is null or (begun_at, id) < ($7, $8::uuid)) order by begun_at desc, id desc offset $5 limit $6`,
          [...values, after ? 0 : offset, limit + 1, ...valuesAfter(after, NEWEST)],
        ),
      ]);
      const { rows, next } = firstOf(found.rows, range, NEWEST);
      return {
        total: counted.rows[0]!.count,
        next,
        effects: rows.map(({ begun_at, cause, stream, at: _at, ...row }) => ({
          ...row,
          begunAt: begun_at,
          cause: cause ?? undefined,
          stream: stream ?? undefined,
        })),
      };
    },

    /** Numbers over all businesses, for metrics. */
    async counts(): Promise<{ readonly pending: number; readonly open: number; readonly failedMessages: number }> {
      const { rows } = await pool.query<{ pending: number; open: number; failed: number }>(
        `select count(*) filter (where step in ('begun', 'reserved'))::int as pending, count(*) filter (where step = 'left_open')::int as open,
                (select count(*)::int from access.inbox where done_at is null and next_at is null) as failed
           from access.effects where ended_at is null`,
      );
      const { pending, open, failed } = rows[0]!;
      return { pending, open, failedMessages: failed };
    },
  };
}
