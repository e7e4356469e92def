/** Queries on invoices and credit notes. */
import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Buyer, InvoiceLine } from '../../events/invoices/events.js';
import { NEWEST_FIRST } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import { INVOICE_COLUMNS, type InvoiceKind, type InvoiceRow } from './read-model.js';

/** The personal data of a document. After its legal term, all members are absent. */
interface OpenMembers {
  readonly lines?: readonly InvoiceLine[];
  readonly buyer?: Buyer;
  readonly reason?: string;
}

/** An invoice or a credit note without its personal data, as lists show it. */
export interface ListedInvoice extends Omit<InvoiceRow, 'sealed'> {
  /** Sum of the credit notes of the invoice. */
  readonly credited: string;
}

/** An invoice or a credit note, decrypted. */
export interface Invoice extends ListedInvoice, OpenMembers {}

/** The viewing business. `customerId`: only the documents of this customer. */
export interface InvoiceViewer {
  readonly business: number;
  readonly customerId?: number | undefined;
}

export interface InvoiceFilter extends Range {
  readonly kind?: InvoiceKind | undefined;
  readonly currency?: string | undefined;
  /** Dates of issue, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only the credit notes of this invoice. */
  readonly of?: number | undefined;
}

/** The documents that are known of a customer in a year. */
export interface KnownNumbers {
  /** The last number of the business; 0: none. */
  readonly last: number;
  /** The last number of the customer; 0: none. */
  readonly lastOfCustomer: number;
}

type Aliased = Database & { readonly i: InvoiceRow };
type Stored = InvoiceRow & { readonly credited: string };
/** Lists do not read the encrypted members: the lines of one document may have hundreds of kilobytes. */
const LISTED = INVOICE_COLUMNS.filter((name) => name !== 'sealed').map((name) => `i.${name}` as const);

function seenBy<Row>(query: SelectQueryBuilder<Aliased, 'i', Row>, { business, customerId }: InvoiceViewer) {
  return query
    .where('i.business', '=', business)
    .$if(customerId !== undefined, (of) => of.where('i.customer_id', '=', customerId!));
}

export type InvoiceQueries = ReturnType<typeof createInvoiceQueries>;

export function createInvoiceQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const creditedOf = ({ selectFrom, fn, val }: ExpressionBuilder<Aliased, 'i'>) =>
    fn
      .coalesce(
        selectFrom('invoices.invoices as c')
          .whereRef('c.of', '=', 'i.id')
          .select(({ fn: { sum } }) => sum<string>('c.gross').as('gross')),
        val('0'),
      )
      .as('credited');
  const documents = () => database.selectFrom('invoices.invoices as i').selectAll('i').select(creditedOf);
  const open = (rows: readonly (InvoiceRow & { readonly credited: string | null })[]): Promise<Invoice[]> =>
    openRows<OpenMembers, Stored>(
      rows.map((row) => ({ ...row, credited: row.credited ?? '0' })),
      keyRing,
    );

  return {
    /** An invoice of any business, for background work. */
    async byId(id: number): Promise<Invoice | undefined> {
      return (await open(await documents().where('i.id', '=', id).execute()))[0];
    },

    async visible(id: number, viewer: InvoiceViewer): Promise<Invoice | undefined> {
      return (await open(await seenBy(documents(), viewer).where('i.id', '=', id).execute()))[0];
    },

    /** Newest first, without lines. */
    async list(
      { kind, currency, from, to, of, ...range }: InvoiceFilter,
      viewer: InvoiceViewer,
    ): Promise<Page<ListedInvoice>> {
      const page = await pageOf(
        seenBy(database.selectFrom('invoices.invoices as i').select(LISTED).select(creditedOf), viewer)
          .$if(kind !== undefined, (query) => query.where('i.kind', '=', kind!))
          .$if(currency !== undefined, (query) => query.where('i.currency', '=', currency!))
          .$if(from !== undefined, (query) => query.where('i.issued_on', '>=', from!))
          .$if(to !== undefined, (query) => query.where('i.issued_on', '<=', to!))
          .$if(of !== undefined, (query) => query.where('i.of', '=', of!)),
        range,
        NEWEST_FIRST,
      );
      return { ...page, rows: page.rows.map((row) => ({ ...row, credited: row.credited ?? '0' })) };
    },

    /** Id of the document that the command with this event issued. */
    async idOf(event: string): Promise<number | undefined> {
      const found = await database
        .selectFrom('invoices.invoices')
        .where('event', '=', event)
        .select('id')
        .executeTakeFirst();
      return found?.id;
    },

    async known(business: number, year: number, customerId: number): Promise<KnownNumbers> {
      const inYear = () =>
        database
          .selectFrom('invoices.invoices')
          .where('business', '=', business)
          .where('year', '=', year)
          .select(({ fn: { max } }) => max('series_number').as('last'));
      const [last, ofCustomer] = await Promise.all([
        inYear().executeTakeFirst(),
        inYear().where('customer_id', '=', customerId).executeTakeFirst(),
      ]);
      return { last: last?.last ?? 0, lastOfCustomer: ofCustomer?.last ?? 0 };
    },

    /** Number of lines of all credit notes of an invoice. */
    async creditedLineCount(id: number): Promise<number> {
      const found = await database
        .selectFrom('invoices.invoices')
        .where('of', '=', id)
        .select(({ fn: { sum } }) => sum<string>('line_count').as('count'))
        .executeTakeFirst();
      return Number(found?.count ?? 0);
    },

    async creditNotesOf(id: number): Promise<Invoice[]> {
      return open(await documents().where('i.of', '=', id).execute());
    },

    /** The invoice that contains the charges of an order; null if there is none. */
    async ofOrder(orderId: number): Promise<number | null> {
      const found = await database
        .selectFrom('invoices.orders')
        .where('order_id', '=', orderId)
        .select('invoice_id')
        .executeTakeFirst();
      return found?.invoice_id ?? null;
    },
  };
}
