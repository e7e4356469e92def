/**
 * Compares the carrier accounts of a business, also for simultaneous requests in several processes: their number, and
 * their ranges of numbers, which must not overlap.
 */
import type { Pool } from 'pg';
import { inTransaction } from './transaction.js';

export const MAX_CARRIER_ACCOUNTS = 200;
/** Longer than the maximum lag of a read model. The claim of a change that was not made expires after this time. */
const HELD = '10 minutes';

/** A new account, or another range of an account. */
export interface CarrierClaim {
  readonly business: number;
  readonly accountId: number;
  readonly isNew: boolean;
  /** Texts of the same length, without check digit. Undefined: the account has no numbers. */
  readonly range: { readonly first: string; readonly last: string } | undefined;
  /** Only checks. */
  readonly isDryRun: boolean;
}
export type ClaimRefusal = 'TOO_MANY_CARRIER_ACCOUNTS' | 'NUMBERS_IN_USE';

export interface CarrierClaims {
  /** Undefined: claimed. A repeated claim replaces the one of the same account. */
  claim(claim: CarrierClaim): Promise<ClaimRefusal | undefined>;
  sweep(): Promise<number>;
}

// The accounts of the read model, and the claims that it does not contain yet.
const COUNT = `select count(*)::int as count from (
    select id from carrier_accounts.carrier_accounts where business = $1
    union
    select carrier_account_id from access.carrier_account_claims
     where business = $1 and claimed_at > now() - $3::interval) known
  where id <> $2`;

// A range in the read model without an account is left from a request that ended early.
const OVERLAPS = `select exists (
    select from carrier_numbers.ranges n
      join carrier_accounts.carrier_accounts a on a.id = n.carrier_account_id
      cross join lateral json_to_recordset(n.ranges) as r(prefix text, "from" bigint, "to" bigint)
     where n.business = $1 and n.carrier_account_id <> $2
       and r.prefix || lpad(r."from"::text, length($3) - length(r.prefix), '0') <= $4 collate "C"
       and r.prefix || lpad(r."to"::text, length($3) - length(r.prefix), '0') >= $3 collate "C"
    union all
    select from access.carrier_account_claims
     where business = $1 and carrier_account_id <> $2 and claimed_at > now() - $5::interval
       and first_number <= $4 and last_number >= $3) as found`;

const CLAIM = `insert into access.carrier_account_claims (carrier_account_id, business, first_number, last_number)
  values ($1, $2, $3, $4)
  on conflict (carrier_account_id) do update
    set first_number = excluded.first_number, last_number = excluded.last_number, claimed_at = now()`;

export const createCarrierClaims = (pool: Pool): CarrierClaims => ({
  claim: ({ business, accountId, isNew, range, isDryRun }) =>
    inTransaction(pool, async (db) => {
      // One at a time, so that each sees the claims before it.
      await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`carrier accounts ${business}`]);
      if (isNew) {
        const { rows } = await db.query<{ count: number }>(COUNT, [business, accountId, HELD]);
        if (rows[0]!.count >= MAX_CARRIER_ACCOUNTS) return 'TOO_MANY_CARRIER_ACCOUNTS';
      }
      if (range) {
        const values = [business, accountId, range.first, range.last, HELD];
        const { rows } = await db.query<{ found: boolean }>(OVERLAPS, values);
        if (rows[0]!.found) return 'NUMBERS_IN_USE';
      }
      if (!isDryRun) await db.query(CLAIM, [accountId, business, range?.first ?? null, range?.last ?? null]);
      return undefined;
    }),

  async sweep() {
    const { rowCount } = await pool.query(
      'delete from access.carrier_account_claims where claimed_at < now() - $1::interval',
      [HELD],
    );
    return rowCount ?? 0;
  },
});
