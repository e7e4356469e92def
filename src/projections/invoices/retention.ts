/** Invoices of erased customers: their personal data is kept until the end of their legal term. */
import type { Pool } from 'pg';
import { accountIdsIn } from '../../events/accounts/events.js';
import { invoiceSubject, type InvoiceNumber } from '../../events/invoices/events.js';

/** Number of documents whose keys are destroyed in one sweep. */
const AT_ONCE = 500;

export interface Retention {
  /** Years after the calendar year of the issue. */
  readonly years: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Documents about a person that an erasure keeps. */
export interface RetainedInvoices {
  readonly count: number;
  /** Date on which the last of these documents reaches the end of its term. */
  readonly until: string;
}

export interface ExpiredInvoice {
  readonly subject: string;
  readonly business: number;
}

export type RetentionQueries = ReturnType<typeof createRetentionQueries>;

export function createRetentionQueries(pool: Pool, { years, now }: Retention) {
  /** Documents of this year and of earlier years have reached the end of their term. */
  const lastExpired = (): number => new Date(now()).getUTCFullYear() - years - 1;

  return {
    /** The documents about a subject of an erasure, an account or an order, whose term has not ended. */
    async retained(subject: string, business: number): Promise<RetainedInvoices | undefined> {
      const [customer] = accountIdsIn([subject]);
      const order = /^order-(\d+)$/.exec(subject)?.[1];
      const { rows } = await pool.query<{ count: number; year: number | null }>(
        `select count(*)::int as count, max(year) as year from invoices.invoices i
          where business = $1 and year > $2 and (customer_id = $3
             or id in (select invoice_id from invoices.orders where order_id = $4))`,
        [business, lastExpired(), customer ?? null, order === undefined ? null : Number(order)],
      );
      const { count, year } = rows[0]!;
      return year === null ? undefined : { count, until: `${year + years + 1}-01-01` };
    },

    /** Documents of erased customers at the end of their term whose own erasure was not decided yet, oldest first. */
    async expired(): Promise<ExpiredInvoice[]> {
      const { rows } = await pool.query<InvoiceNumber>(
        `select i.business, i.year, i.series_number from invoices.invoices i
           join erasures.erasures e on e.subject = 'account-' || i.customer_id
          where i.year <= $1 and not exists (
            select from erasures.erasures o
             where o.subject = 'invoice-' || i.business || '-' || i.year || '-' || i.series_number)
          order by i.id limit $2`,
        [lastExpired(), AT_ONCE],
      );
      return rows.map((row) => ({ subject: invoiceSubject(row), business: row.business }));
    },
  };
}
