/** Limits the top-ups of an account, also for simultaneous requests in several processes. */
import type { Pool } from 'pg';
import { inTransaction } from './transaction.js';

/** Limits per account. */
export const MAX_OPEN_TOP_UPS = 20;
export const MAX_TOP_UPS_PER_DAY = 60;
const DAY_MS = 24 * 3_600_000;
/** Longer than the maximum lag of a read model. The claim of a top-up that was not created expires after this time. */
const HELD = '10 minutes';
/** Seconds until a retry if only claims reach a limit: their times are unknown. */
const UNKNOWN_WAIT_S = 60;

/** A new top-up. */
export interface TopUpClaim {
  readonly accountId: number;
  readonly topUpId: number;
}

export interface TopUpClaims {
  /**
   * Claims a place among the top-ups of the account. Returns undefined if there was one, otherwise the number of seconds
   * until one becomes free. `now`: milliseconds since 1970. A repeated claim needs no second place.
   */
  claim(claim: TopUpClaim, now: number): Promise<number | undefined>;
  sweep(): Promise<number>;
}

// The top-ups of the read model, and the claims that it does not contain yet.
const COUNT = `with known as (
    select status in ('pending', 'processing') and expires_at > $3 as is_open, created_at > $4 as is_recent, created_at, expires_at
      from topups.topups where account_id = $1 and id <> $2 and (status in ('pending', 'processing') or created_at > $4)
    union all
    select true, true, null, null from access.top_up_claims claim
     where account_id = $1 and top_up_id <> $2 and claimed_at > now() - $5::interval
       and not exists (select from topups.topups where id = claim.top_up_id))
  select count(*) filter (where is_open)::int as open, count(*) filter (where is_recent)::int as recent,
         min(expires_at) filter (where is_open) as "nextEnd", min(created_at) filter (where is_recent) as "firstOfDay"
    from known`;

interface Counted {
  readonly open: number;
  readonly recent: number;
  readonly nextEnd: string | null;
  readonly firstOfDay: string | null;
}

export const createTopUpClaims = (pool: Pool): TopUpClaims => ({
  claim: ({ accountId, topUpId }, now) =>
    inTransaction(pool, async (db) => {
      // One at a time, so that each counts the claims before it.
      await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`top-ups ${accountId}`]);
      const times = [new Date(now).toISOString(), new Date(now - DAY_MS).toISOString()];
      const { rows } = await db.query<Counted>(COUNT, [accountId, topUpId, ...times, HELD]);
      const { open, recent, nextEnd, firstOfDay } = rows[0]!;
      if (recent >= MAX_TOP_UPS_PER_DAY) return secondsUntil(firstOfDay, now, DAY_MS);
      if (open >= MAX_OPEN_TOP_UPS) return secondsUntil(nextEnd, now);
      await db.query(
        'insert into access.top_up_claims (top_up_id, account_id) values ($1, $2) on conflict do nothing',
        [topUpId, accountId],
      );
      return undefined;
    }),

  async sweep() {
    const { rowCount } = await pool.query('delete from access.top_up_claims where claimed_at < now() - $1::interval', [
      HELD,
    ]);
    return rowCount ?? 0;
  },
});

const secondsUntil = (time: string | null, now: number, later = 0): number =>
  time === null ? UNKNOWN_WAIT_S : Math.max(1, Math.ceil((Date.parse(time) + later - now) / 1_000));
