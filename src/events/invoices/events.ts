/**
 * Events of the invoices and credit notes of a business. All of a year are in the stream `invoices-<business>-<year>`, so
 * that its decider numbers them without gaps. The key subject of the personal members is the document itself, because an
 * invoice outlives the erasure of its buyer until the end of its legal term.
 */
import { z } from 'zod';
import { billingSchema } from '../businesses/events.js';
import { eventType, personal } from '../core/event-types.js';
import { amountSchema } from '../core/money.js';
import { FAMILIES } from '../pricing/families.js';

export const INVOICE_PREFIX = 'invoices-';
export const invoiceStream = (business: number, year: number): string => `${INVOICE_PREFIX}${business}-${year}`;

/** What identifies an invoice or a credit note within a business. */
export interface InvoiceNumber {
  readonly business: number;
  /** Calendar year in the timezone of the business. */
  readonly year: number;
  /** 1, 2, 3 … within the year. */
  readonly series_number: number;
}
/** Key subject of the personal data of one document, also of its PDF. */
export const invoiceSubject = ({ business, year, series_number }: InvoiceNumber): string =>
  `invoice-${business}-${year}-${series_number}`;
/** The number that is printed on the document. */
export const printedNumber = ({ year, series_number }: Omit<InvoiceNumber, 'business'>): string =>
  `${year}-${String(series_number).padStart(6, '0')}`;

const text = z.string();
const date = z.iso.date();

export const invoiceTaxSchema = z.object({
  tax_code: text,
  /** Absent for a tax that the office entered as an amount. */
  percent: text.optional(),
  amount: amountSchema,
});
export type InvoiceTax = z.infer<typeof invoiceTaxSchema>;

/** The charges of an order that have the same taxes. */
export const invoiceLineSchema = z.object({
  /** Number of the line in the invoice, from 1; a credit note repeats it. */
  line: z.int(),
  order_id: z.int(),
  bill_version: z.int(),
  /** When the order got its first price. */
  date,
  family: z.enum(FAMILIES),
  text,
  net: amountSchema,
  taxes: z.array(invoiceTaxSchema),
  tax: amountSchema,
  gross: amountSchema,
});
export type InvoiceLine = z.infer<typeof invoiceLineSchema>;

/** The net amount on which a tax was charged, and the tax. Without a code: amounts without a tax. */
export const taxSummarySchema = z.object({
  tax_code: text.optional(),
  percent: text.optional(),
  net: amountSchema,
  tax: amountSchema,
});
export type TaxSummary = z.infer<typeof taxSummarySchema>;

export const buyerSchema = z.object({
  name: text.optional(),
  company: text.optional(),
  email: text.optional(),
  street: text.optional(),
  street_2: text.optional(),
  postal_code: text.optional(),
  city: text.optional(),
  region: text.optional(),
  country: text.optional(),
  tax_id: text.optional(),
});
export type Buyer = z.infer<typeof buyerSchema>;

/** The PDF. Its bytes are in the file store; this is their fingerprint. */
export const invoiceDocumentSchema = z.object({
  /** Also the id of the stored file. */
  document_id: z.uuid(),
  sha256: text,
  bytes: z.int(),
  pages: z.int(),
  /** Name and version of the template. */
  made_by: text,
  /** Number of the document, which is printed on each page: `D-…`. */
  document_number: text,
});
export type InvoiceDocument = z.infer<typeof invoiceDocumentSchema>;

const common = {
  invoice_id: z.int(),
  business: z.int(),
  year: z.int(),
  series_number: z.int(),
  customer_id: z.int(),
  currency: text,
  /** Families of the lines, each once. */
  families: z.array(z.enum(FAMILIES)),
  line_count: z.int(),
  /** Personal, because they contain texts of the office. Encrypted data is also compressed. */
  lines: personal(z.array(invoiceLineSchema)),
  tax_summary: z.array(taxSummarySchema),
  net: amountSchema,
  tax: amountSchema,
  gross: amountSchema,
  /** The billing profile at the time of issue. */
  seller: billingSchema.omit({ currency: true }),
  buyer: personal(buyerSchema),
  /** RFC 3339 in UTC. */
  issued_at: text,
  /** Date of issue in the timezone of the business. */
  issued_on: date,
  issued_by: z.int(),
  document: invoiceDocumentSchema,
};

export const InvoiceIssued = eventType(
  'InvoiceIssued',
  z.object({
    ...common,
    date_from: date,
    date_to: date,
    due_date: date,
    /** Received payments of the invoiced bills at the time of issue. */
    paid: amountSchema,
    /** Invoiced orders, each once. */
    order_ids: z.array(z.int()),
  }),
);
export type IssuedInvoice = z.infer<typeof InvoiceIssued.schema>;

/** The amounts are those by which the invoice is reduced. */
export const CreditNoteIssued = eventType(
  'CreditNoteIssued',
  z.object({
    ...common,
    /** The corrected invoice. */
    of: z.int(),
    of_year: z.int(),
    of_series_number: z.int(),
    reason: personal(text),
    /** Orders whose lines are now credited as a whole. They can be invoiced again. */
    released_order_ids: z.array(z.int()),
  }),
);
export type IssuedCreditNote = z.infer<typeof CreditNoteIssued.schema>;

/** The year has no more invoices: recorded before the first invoice of the next year. */
export const InvoiceYearClosed = eventType('InvoiceYearClosed', z.object({ business: z.int(), year: z.int() }));

export const INVOICE_EVENTS = [InvoiceIssued, CreditNoteIssued, InvoiceYearClosed] as const;
