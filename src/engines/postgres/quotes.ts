/** Stores quoted prices until an order uses them. */
import type { Pool } from 'pg';
import { timeLimits, type TimeLimits } from '../../events/core/time-limits.js';
import { batched } from '../../sql/batched.js';

/** How a carrier transports a shipment. */
export interface CarrierOffer {
  /** Account of the business at the carrier. */
  readonly account_id: number;
  readonly method_id: number;
  /** Code of the method at the carrier. */
  readonly method_code: string;
  readonly method_name: string;
  /** Name of the carrier that transports the parcels. */
  readonly carrier: string;
  /** What the carrier charges the business, in the currency of the quote: exact decimal number. */
  readonly cost: string;
  readonly delivery_days?: number | undefined;
  /** `YYYY-MM-DD`. */
  readonly delivery_date?: string | undefined;
  readonly guaranteed?: boolean | undefined;
  /** The shipment without names, streets and phone numbers. */
  readonly shipment: unknown;
}

export interface Quote {
  readonly rate_id: string;
  readonly business: number;
  readonly customer_id: number | null;
  readonly quoted_by: number;
  readonly family: string;
  readonly service_code: string;
  /** Null: there is no price, only the cost of a carrier. */
  readonly rate_card_id: number | null;
  readonly card_version: number | null;
  readonly inputs: unknown;
  /** SHA-256 of the priced inputs, hexadecimal. */
  readonly inputs_digest: string;
  readonly currency: string;
  /** Exact decimal number; null: there is no price. */
  readonly total: string | null;
  readonly outcome: unknown;
  /** The fee of the card for a late cancellation; null: none. */
  readonly cancellation_fee: unknown;
  /** How a carrier transports the shipment; null: the business delivers it. */
  readonly carrier: CarrierOffer | null;
  readonly created_at: Date;
  readonly valid_until: Date;
}
export interface StoredQuote extends Quote {
  readonly used_by: number | null;
}
export type PricedQuote = StoredQuote & {
  readonly rate_card_id: number;
  readonly card_version: number;
  readonly total: string;
};
export const isPriced = (quote: StoredQuote): quote is PricedQuote => quote.rate_card_id !== null;

/** The order that has reserved a quote. */
export interface QuoteClaim {
  readonly order_id: number;
  /** The reservation is old enough that its order must exist, unless its process ended before it created the order. */
  readonly isOld: boolean;
}

/** Retention of an unused quote after it has expired. */
const EXPIRED_DAYS = 7;
/** Maximum number of expired quotes per user. */
const MAX_EXPIRED = 20_000;
/** Maximum number of rows that one statement deletes. */
const AT_ONCE = 10_000;

export type Quotes = ReturnType<typeof createQuotes>;

/** A reservation whose order was never created can be taken over after `orphanSeconds`. */
export function createQuotes(pool: Pool, { orphanSeconds }: Pick<TimeLimits, 'orphanSeconds'> = timeLimits()) {
  const recent = batched(async (wanted: readonly { rateIds: readonly string[]; since: Date }[]) => {
    const first = Math.min(...wanted.map(({ since }) => since.getTime()));
    const { rows } = await pool.query<StoredQuote>({
      name: 'recent-quotes',
      text: 'select * from access.quotes where rate_id = any ($1) and created_at >= $2',
      values: [[...new Set(wanted.flatMap(({ rateIds }) => rateIds))], new Date(first)],
    });
    const found = new Map(rows.map((row) => [row.rate_id, row]));
    return wanted.map(({ rateIds, since }) =>
      [...new Set(rateIds)].flatMap((id) => {
        const row = found.get(id);
        return row && row.created_at >= since ? [row] : [];
      }),
    );
  });

  return {
    /** Stores the quotes that do not exist yet. */
    async add(quotes: readonly Quote[]): Promise<void> {
      if (quotes.length === 0) return;
      await pool.query(
        `insert into access.quotes (rate_id, business, customer_id, quoted_by, family, service_code, rate_card_id, card_version, inputs, inputs_digest, currency, total, outcome, cancellation_fee, carrier, created_at, valid_until)
         select rate_id, business, customer_id, quoted_by, family, service_code, rate_card_id, card_version, inputs, inputs_digest, currency, total, outcome, cancellation_fee, carrier, created_at, valid_until
           from json_populate_recordset(null::access.quotes, $1)
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
    /** The quote that an order of the business has reserved. */
    async ofOrder(orderId: number, business: number): Promise<StoredQuote | undefined> {
      const { rows } = await pool.query<StoredQuote>(
        'select * from access.quotes where used_by = $1 and business = $2 order by created_at limit 1',
        [orderId, business],
      );
      return rows[0];
    },
    /** The quotes with these ids that were made after `since`. */
    recent: (rateIds: readonly string[], since: Date): Promise<readonly StoredQuote[]> => recent({ rateIds, since }),
    /**
     * Reserves a quote for an order, unless another order has it. `instead`: the order whose reservation is taken over.
     * Returns the reservation of the other order; undefined: the order has the quote.
     */
    async claim(
      rateId: string,
      { business, orderId, instead = orderId }: { business: number; orderId: number; instead?: number },
    ): Promise<QuoteClaim | undefined> {
      const { rowCount } = await pool.query(
        `update access.quotes set used_by = $3, claimed_at = now()
          where rate_id = $1 and business = $2 and (used_by is null or used_by in ($3, $4))`,
        [rateId, business, orderId, instead],
      );
      if (rowCount === 1) return undefined;
      const { rows } = await pool.query<QuoteClaim>(
        `select used_by as order_id, claimed_at < now() - make_interval(secs => $3) as "isOld"
           from access.quotes where rate_id = $1 and business = $2`,
        [rateId, business, orphanSeconds],
      );
      return rows[0];
    },
    /** Ends the reservation of an order that was not created. */
    async release(rateId: string, orderId: number): Promise<void> {
      await pool.query(
        'update access.quotes set used_by = null, claimed_at = null where rate_id = $1 and used_by = $2',
        [rateId, orderId],
      );
    },
    /** Deletes the quotes of erased customers and orders. */
    async forget({ customers, orders }: { customers: readonly number[]; orders: readonly number[] }): Promise<void> {
      if (customers.length === 0 && orders.length === 0) return;
      await pool.query('delete from access.quotes where customer_id = any ($1) or used_by = any ($2)', [
        customers,
        orders,
      ]);
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
