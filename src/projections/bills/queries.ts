/** Queries on the bills of orders. */
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { PaymentStatus } from '../../events/bill/state.js';
import type { Family } from '../../events/pricing/families.js';
import { KEY, type ListKey } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows, type SealedMembers } from '../core/sealed-members.js';
import type { BillRow, MovementDetails, StoredCharges } from './read-model.js';

/** Decrypted; an erased text is absent. */
export interface OpenDetails extends Omit<MovementDetails, 'sealed'> {
  readonly id: string;
  readonly reference?: string;
  readonly reason?: string;
}

export interface OpenBill extends Omit<BillRow, 'charges' | 'details'> {
  readonly charges: Omit<StoredCharges, 'sealed'> & { readonly line_names?: Readonly<Record<string, string>> };
  readonly details: ReadonlyMap<string, OpenDetails>;
  /** The invoice that contains the charges. */
  readonly invoice_id: number | null;
}

/** The bills of a customer that an invoice would contain. */
export interface InvoicableBills {
  readonly business: number;
  readonly customerId: number;
  readonly currency: string;
  /** RFC 3339 in UTC: when the order got its first price. `to` is exclusive. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

/** The amounts of a bill, without texts. */
export type BillSummary = Pick<BillRow, 'bill' | 'payment_status'> & {
  readonly charges: Pick<StoredCharges, 'tax_amount'>;
};

export interface BillFilter extends Range {
  readonly business: number;
  readonly customerId?: number | undefined;
  /** The customer that reads: only its bills. */
  readonly onlyCustomer?: number | undefined;
  readonly paymentStatus?: PaymentStatus | undefined;
  readonly family?: Family | undefined;
  readonly isInvoiced?: boolean | undefined;
  /** RFC 3339 in UTC: when the order got its first price. `to` is exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const NEWEST: ListKey = { columns: { id: KEY.integer }, descending: true };

export type BillQueries = ReturnType<typeof createBillQueries>;

export function createBillQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const bills = () =>
    database
      .selectFrom('bills.bills')
      .selectAll()
      .select(({ selectFrom }) =>
        selectFrom('invoices.orders').whereRef('order_id', '=', 'bills.bills.id').select('invoice_id').as('invoice_id'),
      );
  const invoiced = ({ selectFrom, exists }: ExpressionBuilder<Database, 'bills.bills'>) =>
    exists(selectFrom('invoices.orders').whereRef('order_id', '=', 'bills.bills.id').select('invoice_id'));

  return {
    /** The bill of an order of the business; undefined if the order has no price. */
    async byOrder(orderId: number, business: number): Promise<OpenBill | undefined> {
      const row = await bills().where('id', '=', orderId).where('business', '=', business).executeTakeFirst();
      return row && (await opened([row], keyRing))[0];
    },

    /** The bills of these orders of the business, by order; orders without a price are absent. */
    async summaries(orderIds: readonly number[], business: number): Promise<ReadonlyMap<number, BillSummary>> {
      if (orderIds.length === 0) return new Map();
      const rows = await database
        .selectFrom('bills.bills')
        .select(['id', 'bill', 'payment_status', 'charges'])
        .where('id', 'in', [...orderIds])
        .where('business', '=', business)
        .execute();
      return new Map(rows.map(({ id, ...summary }) => [id, summary]));
    },

    /** Newest order first. */
    async list(filter: BillFilter): Promise<Page<OpenBill>> {
      const { business, customerId, onlyCustomer, paymentStatus, family, isInvoiced, from, to, ...range } = filter;
      const page = await pageOf(
        bills()
          .where('business', '=', business)
          .$if(customerId !== undefined, (query) => query.where('customer_id', '=', customerId!))
          .$if(onlyCustomer !== undefined, (query) => query.where('customer_id', '=', onlyCustomer!))
          .$if(paymentStatus !== undefined, (query) => query.where('payment_status', '=', paymentStatus!))
          .$if(family !== undefined, (query) => query.where('family', '=', family!))
          .$if(isInvoiced === true, (query) => query.where(invoiced))
          .$if(isInvoiced === false, (query) => query.where((of) => of.not(invoiced(of))))
          .$if(from !== undefined, (query) => query.where('created_at', '>=', from!))
          .$if(to !== undefined, (query) => query.where('created_at', '<', to!)),
        range,
        NEWEST,
      );
      return { ...page, rows: await opened(page.rows, keyRing) };
    },

    /** Oldest order first. Bills that cost nothing are omitted. */
    async toInvoice({ business, customerId, currency, from, to, limit }: InvoicableBills): Promise<OpenBill[]> {
      const rows = await bills()
        .where('business', '=', business)
        .where('customer_id', '=', customerId)
        .where('currency', '=', currency)
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .where('total', '<>', '0')
        .where((of) => of.not(invoiced(of)))
        .orderBy('id')
        .limit(limit)
        .execute();
      return opened(rows, keyRing);
    },
  };
}

interface InvoicedBillRow extends BillRow {
  readonly invoice_id: number | null;
}

/** Decrypts the texts of bills, as far as their keys exist. */
async function opened(rows: readonly InvoicedBillRow[], keyRing: KeyRing): Promise<OpenBill[]> {
  const charges = await openRows<Pick<OpenBill['charges'], 'line_names'>, Sealed<StoredCharges>>(
    rows.map((row) => ({ ...row.charges, sealed: [row.charges.sealed] })),
    keyRing,
  );
  const entries = rows.flatMap((row, index) =>
    Object.entries(row.details).map(([id, one]) => ({ ...one, id, index, sealed: [one.sealed] })),
  );
  const details = await openRows<Pick<OpenDetails, 'reference' | 'reason'>, (typeof entries)[number]>(entries, keyRing);
  return rows.map((row, index) => ({
    ...row,
    charges: charges[index]!,
    details: new Map(details.filter((one) => one.index === index).map((one) => [one.id, one])),
  }));
}

type Sealed<Row extends { readonly sealed: SealedMembers }> = Omit<Row, 'sealed'> & {
  readonly sealed: SealedMembers[];
};
