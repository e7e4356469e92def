/**
 * The content of the PDF of an invoice or a credit note. It follows from the event alone, member by member in a fixed
 * order, so that the same event always leads to the same bytes.
 */
import { minus } from '../../../events/core/money.js';
import { printedNumber, type Buyer, type InvoiceLine, type IssuedInvoice } from '../../../events/invoices/events.js';
import type { InvoiceKind, InvoiceRow } from '../../../projections/invoices/read-model.js';

/** The members of an event, or of a row of the read model, that the PDF shows. */
export interface Printable
  extends
    Pick<
      IssuedInvoice,
      | 'business'
      | 'year'
      | 'series_number'
      | 'customer_id'
      | 'currency'
      | 'tax_summary'
      | 'net'
      | 'tax'
      | 'gross'
      | 'seller'
      | 'issued_at'
      | 'issued_on'
    >,
    Partial<Pick<InvoiceRow, 'date_from' | 'date_to' | 'due_date' | 'paid' | 'of_year' | 'of_series_number'>> {
  readonly kind: InvoiceKind;
  readonly lines?: readonly InvoiceLine[] | undefined;
  readonly buyer?: Buyer | undefined;
  readonly reason?: string | undefined;
}

export interface PrintedInvoice {
  readonly kind: InvoiceKind;
  readonly number: string;
  readonly issued_at: string;
  readonly issued_on: string;
  readonly due_date: string | null;
  readonly date_from: string | null;
  readonly date_to: string | null;
  /** Number of the corrected invoice. */
  readonly corrects: string | null;
  readonly reason: string | null;
  readonly customer_id: number;
  readonly currency: string;
  readonly seller: IssuedInvoice['seller'];
  readonly buyer: Buyer;
  readonly lines: readonly InvoiceLine[];
  readonly tax_summary: IssuedInvoice['tax_summary'];
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
  /** Null for a credit note. */
  readonly paid: string | null;
  readonly due: string | null;
}

/** The amount that was not paid at the time of issue. */
export const dueAmount = ({ gross, currency }: Pick<Printable, 'gross' | 'currency'>, paid: string): string =>
  minus({ amount: gross, currency }, { amount: paid, currency }).amount;

/** Undefined after the legal term of the document: its lines and its buyer are erased. */
export function printedInvoice(of: Printable): PrintedInvoice | undefined {
  const { lines, paid, of_year: year, of_series_number: number } = of;
  if (!lines) return undefined;
  return {
    kind: of.kind,
    number: printedNumber(of),
    issued_at: of.issued_at,
    issued_on: of.issued_on,
    due_date: of.due_date ?? null,
    date_from: of.date_from ?? null,
    date_to: of.date_to ?? null,
    corrects:
      typeof year === 'number' && typeof number === 'number' ? printedNumber({ year, series_number: number }) : null,
    reason: of.reason ?? null,
    customer_id: of.customer_id,
    currency: of.currency,
    seller: of.seller,
    buyer: of.buyer ?? {},
    lines,
    tax_summary: of.tax_summary,
    net: of.net,
    tax: of.tax,
    gross: of.gross,
    paid: paid ?? null,
    due: typeof paid === 'string' ? dueAmount(of, paid) : null,
  };
}
