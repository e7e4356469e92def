/** Stores quoted prices until an order uses them. */
import type { Pool } from 'pg';

export interface Quote {
  readonly rate_id: string;
  readonly business: number;
  readonly customer_id: number | null;
  readonly quoted_by: number;
  readonly family: string;
  readonly service_code: string;
  readonly rate_card_id: number;
  readonly card_version: number;
  readonly inputs: unknown;
  /** SHA-256 of the priced inputs, hexadecimal. */
  readonly inputs_digest: string;
  readonly currency: string;
  /** Exact decimal number. */
  readonly total: string;
  readonly outcome: unknown;
  readonly created_at: Date;
  readonly valid_until: Date;
}
export interface StoredQuote extends Quote {
  readonly used_by: number | null;
}

/** Retention of an unused quote after it has expired. */
const EXPIRED_DAYS = 7;
/** Maximum number of expired quotes per user. */
const MAX_EXPIRED = 20_000;
/** Maximum number of rows that one statement deletes. */
const AT_ONCE = 10_000;

export type Quotes = ReturnType<typeof createQuotes>;

export function createQuotes(pool: Pool) {
  return {
    /** Stores the quotes that do not exist yet. */
    async add(quotes: readonly Quote[]): Promise<void> {
      if (quotes.length === 0) return;
      await pool.query(
        `insert into access.quotes (rate_id, business, customer_id, quoted_by, family, service_code, rate_card_id, card_version, inputs, inputs_digest, currency, total, outcome, created_at, valid_until)
         select rate_id, business, customer_id, quoted_by, family, service_code, rate_card_id, card_version, inputs, inputs_digest, currency, total, outcome, created_at, valid_until
           from jsonb_populate_recordset(null::access.quotes, $1)
         on conflict (rate_id) do nothing`,
        [JSON.stringify(quotes)],
      );
    },
    /** A quote of the business, with the exact total as it was stored. */
    async find(rateId: string, business: number): Promise<StoredQuote | undefined> {
      const { rows } = await pool.query<StoredQuote>(
        'select * from access.quotes where rate_id = $1 and business = $2',
        [rateId, business],
      );
      return rows[0];
    },
    /** The quotes with these ids that were made after `since`. */
    async recent(rateIds: readonly string[], since: Date): Promise<readonly StoredQuote[]> {
      const { rows } = await pool.query<StoredQuote>(
        'select * from access.quotes where rate_id = any ($1) and created_at >= $2',
        [rateIds, since],
      );
      return rows;
    },
    /** Deletes the unused quotes of erased customers. */
    async forget(customerIds: readonly number[]): Promise<void> {
      if (customerIds.length === 0) return;
      await pool.query('delete from access.quotes where customer_id = any ($1) and used_by is null', [customerIds]);
    },
    /** Deletes old expired quotes; returns their number. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        `delete from access.quotes where rate_id in (
           select rate_id from (
             select rate_id, valid_until, row_number() over (partition by quoted_by order by valid_until desc) as place
               from access.quotes where used_by is null and valid_until < now()) expired
            where place > ${MAX_EXPIRED} or valid_until < now() - interval '${EXPIRED_DAYS} days'
            limit ${AT_ONCE})`,
      );
      return rowCount ?? 0;
    },
  };
}
