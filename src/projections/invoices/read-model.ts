/** The read model of invoices and credit notes, and the invoice that contains the charges of an order. */
import type { StoredEvent } from '../../events/core/log.js';
import {
  CreditNoteIssued,
  INVOICE_PREFIX,
  InvoiceIssued,
  type InvoiceDocument,
  type IssuedCreditNote,
  type IssuedInvoice,
  type TaxSummary,
} from '../../events/invoices/events.js';
import type { Family } from '../../events/pricing/families.js';
import { insertRows } from '../../sql/rows.js';
import { code, decimal, integer, json, optional, texts, uuid, type RowOf } from '../core/columns.js';
import type { Projection } from '../core/projection.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { NO_ROW, table } from '../core/table.js';

export const INVOICE_IDS = sequence('invoices', { readModel: 'invoices', table: 'invoices.invoices' });

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

const columns = {
  id: integer(),
  business: integer(),
  year: integer(),
  series_number: integer(),
  kind: code<InvoiceKind>(),
  customer_id: integer(),
  currency: code(),
  families: texts<Family>(),
  line_count: integer(),
  tax_summary: json<TaxSummary[]>(),
  net: decimal(),
  tax: decimal(),
  gross: decimal(),
  seller: json<IssuedInvoice['seller']>(),
  /** RFC 3339 in UTC. */
  issued_at: code(),
  issued_on: code(),
  issued_by: integer(),
  document: json<InvoiceDocument>(),
  /** Only of invoices. */
  date_from: optional(code()),
  date_to: optional(code()),
  due_date: optional(code()),
  paid: optional(decimal()),
  /** Only of credit notes: the corrected invoice. */
  of: optional(integer()),
  of_year: optional(integer()),
  of_series_number: optional(integer()),
  /** Contains lines, buyer and reason. */
  sealed: json<SealedMembers[]>(),
  /** Id of the event: a retried command finds its document by it. */
  event: uuid(),
};
export type InvoiceRow = RowOf<typeof columns>;
export const INVOICE_COLUMNS = Object.keys(columns) as (keyof InvoiceRow)[];

/** The invoice that contains the charges of an order. Without a row, they can be invoiced. */
export interface InvoicedOrderRow {
  readonly order_id: number;
  readonly invoice_id: number;
}

/** In memory, a row also has the changes of invoiced orders by its event. */
interface FoldedRow extends InvoiceRow {
  readonly changes?: OrderChanges;
}
interface OrderChanges {
  readonly position: string;
  readonly added: readonly number[];
  readonly released: readonly number[];
}

const base = table({
  name: 'invoices',
  version: 1,
  prefixes: [INVOICE_PREFIX],
  columns,
  indexes: [
    '(business, year, series_number)',
    '(business, id)',
    '(customer_id, id)',
    '(of) where of is not null',
    '(event)',
    '(year, id)',
  ],
  fold: (row) => row!,
});

function fold(row: FoldedRow | undefined, event: StoredEvent): FoldedRow {
  if (event.type !== InvoiceIssued.type && event.type !== CreditNoteIssued.type) return row!;
  const isInvoice = event.type === InvoiceIssued.type;
  const data = event.data as unknown as IssuedInvoice & IssuedCreditNote;
  return {
    id: data.invoice_id,
    business: data.business,
    year: data.year,
    series_number: data.series_number,
    kind: isInvoice ? 'invoice' : 'credit_note',
    customer_id: data.customer_id,
    currency: data.currency,
    families: data.families,
    line_count: data.line_count,
    tax_summary: data.tax_summary,
    net: data.net,
    tax: data.tax,
    gross: data.gross,
    seller: data.seller,
    issued_at: data.issued_at,
    issued_on: data.issued_on,
    issued_by: data.issued_by,
    document: data.document,
    date_from: data.date_from ?? null,
    date_to: data.date_to ?? null,
    due_date: data.due_date ?? null,
    paid: data.paid ?? null,
    of: data.of ?? null,
    of_year: data.of_year ?? null,
    of_series_number: data.of_series_number ?? null,
    sealed: [sealedMembersOf(event)],
    event: event.id,
    changes: {
      position: event.position,
      added: isInvoice ? data.order_ids : [],
      released: isInvoice ? [] : data.released_order_ids,
    },
  };
}

export const invoices: Projection<FoldedRow> = {
  ...(base as unknown as Projection<FoldedRow>),
  tables: `${base.tables}
    create table :schema.orders (order_id integer primary key, invoice_id integer not null);
    create index on :schema.orders (invoice_id);`,
  keyOf: ({ data }) => String(data['invoice_id'] ?? NO_ROW),
  rowPerStream: false,
  makesRow: ({ type }) => type === InvoiceIssued.type || type === CreditNoteIssued.type,
  fold,
  async save(db, schema, rows) {
    const changed = [...rows.values()].filter((row) => row !== undefined);
    const documents = changed.map(({ changes: _changes, ...row }) => [String(row.id), row] as const);
    const last = lastChanges(changed);
    const released = [...last].flatMap(([order, invoice]) => (invoice === undefined ? [order] : []));
    const added = [...last].flatMap(([order_id, invoice_id]) =>
      invoice_id === undefined ? [] : [{ order_id, invoice_id }],
    );
    await Promise.all([
      base.save(db, schema, new Map(documents)),
      db.query(`delete from ${schema}.orders where order_id = any ($1)`, [released]),
      insertRows(
        db,
        `${schema}.orders`,
        { order_id: 'integer', invoice_id: 'integer' },
        added,
        'on conflict (order_id) do update set invoice_id = excluded.invoice_id',
      ),
    ]);
  },
};

/**
 * The invoice of each order after all events of the batch; undefined: none. An order may be invoiced, credited and
 * invoiced again in one batch.
 */
function lastChanges(rows: readonly FoldedRow[]): Map<number, number | undefined> {
  const inOrder = rows
    .flatMap(({ id, changes }) => (changes ? [{ id, ...changes }] : []))
    .sort((a, b) => (a.position < b.position ? -1 : 1));
  const last = new Map<number, number | undefined>();
  for (const { id, added, released } of inOrder) {
    for (const order of added) last.set(order, id);
    for (const order of released) last.set(order, undefined);
  }
  return last;
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'invoices',
    { 'invoices.invoices': InvoiceRow; 'invoices.orders': InvoicedOrderRow }
  > {}
}
