/** Invoices and credit notes in responses. */
import { z } from 'zod';
import { minus } from '../../../events/core/money.js';
import { printedNumber, type InvoiceLine } from '../../../events/invoices/events.js';
import { FAMILIES, type Family } from '../../../events/pricing/families.js';
import type { Invoice, ListedInvoice } from '../../../projections/invoices/queries.js';
import { INVOICE_KINDS } from '../../../projections/invoices/read-model.js';
import { price, priced } from '../../core/prices.js';
import { bankDetails } from '../businesses/billing-profile.js';
import { dueAmount } from './content.js';

const amount = z.string();
const text = z.string();

export const kindSchema = z
  .enum(INVOICE_KINDS)
  .describe('`credit_note`: the document reduces the invoice `corrected_invoice_id`.');

const lineSchema = z
  .object({
    line: z.int().describe('Number of the line in the invoice, from 1. A credit note repeats it.'),
    order_id: z.int(),
    line_date: text.describe('Date on which the order got a price.'),
    text: text.describe('Names of the charges.'),
    net: amount,
    tax_code: text.nullable().describe('Code of the tax. Several codes are joined by `+`. Null: no tax.'),
    tax: amount,
    gross: amount,
  })
  .meta({ id: 'InvoiceLine' });

const taxSchema = z
  .object({
    tax_code: text.nullable().describe('Code of the tax. Null: the amounts have no tax.'),
    percent: text.nullable().describe('Tax rate in percent. Null: the office entered the tax as an amount.'),
    net: amount.describe('The amount on which the tax was charged.'),
    tax: amount,
  })
  .meta({ id: 'InvoiceTax' });

const optionalText = text.optional();
const addressMembers = {
  street: optionalText,
  street_2: optionalText,
  postal_code: optionalText,
  city: optionalText,
  region: optionalText,
  country: optionalText,
};
const buyerSchema = z
  .object({ name: optionalText, company: optionalText, email: optionalText, ...addressMembers, tax_id: optionalText })
  .meta({ id: 'InvoiceBuyer' });
const sellerSchema = z
  .object({
    legal_name: text,
    billing_address: z.object(addressMembers).meta({ id: 'InvoiceSellerAddress' }),
    tax_ids: z.array(text),
    bank_details: bankDetails,
  })
  .meta({ id: 'InvoiceSeller' });

export const invoiceSchema = priced(
  {
    id: z.int(),
    number: text.describe('Year and number, as printed on the document, such as 2026-000017.'),
    series_number: z
      .int()
      .describe('Sequence number within the year, without gaps: 1, 2, 3 … Invoices and credit notes share one series.'),
    kind: kindSchema,
    customer_id: z.int(),
    families: z.array(z.enum(FAMILIES)).describe('Kinds of orders in the document.'),
    corrected_invoice_id: z.int().nullable().describe('The invoice that a credit note corrects. Null for an invoice.'),
    issue_date: text.describe('Date of issue, in the timezone of the business.'),
    due_date: text.nullable().describe('Null for a credit note.'),
    date_from: text.nullable().describe('First date of the invoiced period. Null for a credit note.'),
    date_to: text.nullable().describe('Last date, included.'),
    line_count: z.int(),
    currency: price(text),
    net: price(amount),
    tax: price(amount),
    gross: price(amount.describe('Total with taxes. For a credit note: the credited amount.')),
    paid_amount: price(
      amount
        .nullable()
        .describe('Amount that the business had received when it issued the invoice. Null for a credit note.'),
    ),
    due_amount: price(
      amount.nullable().describe('Amount that was due when the invoice was issued. Null for a credit note.'),
    ),
    credited_amount: price(amount.describe('Sum of the credit notes of the invoice.')),
    tax_summary: price(z.array(taxSchema)),
    lines: price(
      z
        .array(lineSchema)
        .describe('Lines of the document. Absent in lists, and empty after the end of the legal storage period.'),
    ),
    seller: sellerSchema.describe('The billing profile of the business when the document was issued.'),
    buyer: buyerSchema
      .nullable()
      .optional()
      .describe('Addressee of the document. Absent in lists, and null after the end of the legal storage period.'),
    reason: text.nullable().optional().describe('Reason of a credit note. Absent in lists.'),
    sha256: text.describe('Hash of the PDF, in hex.'),
    created_by: z.int(),
    created_at: z.iso.datetime(),
  },
  ({ families }) => families as readonly Family[],
).meta({ id: 'Invoice' });
export type InvoiceOutput = z.infer<typeof invoiceSchema>;

/** Without lines, buyer and reason. */
export function toListedInvoice(invoice: ListedInvoice): InvoiceOutput {
  const { currency, paid, seller, document } = invoice;
  const { legal_name, address: billing_address, tax_ids, bank_details } = seller;
  const exactly = (value: string) => minus({ amount: value, currency }, { amount: '0', currency }).amount;
  return {
    id: invoice.id,
    number: printedNumber(invoice),
    series_number: invoice.series_number,
    kind: invoice.kind,
    customer_id: invoice.customer_id,
    families: invoice.families,
    corrected_invoice_id: invoice.of,
    issue_date: invoice.issued_on,
    due_date: invoice.due_date,
    date_from: invoice.date_from,
    date_to: invoice.date_to,
    line_count: invoice.line_count,
    currency,
    net: invoice.net,
    tax: invoice.tax,
    gross: invoice.gross,
    paid_amount: paid,
    due_amount: paid === null ? null : dueAmount(invoice, paid),
    credited_amount: exactly(invoice.credited),
    tax_summary: invoice.tax_summary.map(({ tax_code = null, percent = null, net, tax }) => ({
      tax_code,
      percent,
      net,
      tax,
    })),
    seller: { legal_name, billing_address, tax_ids, bank_details },
    sha256: document.sha256,
    created_by: invoice.issued_by,
    created_at: invoice.issued_at,
  };
}

export const toInvoice = (invoice: Invoice): InvoiceOutput => ({
  ...toListedInvoice(invoice),
  lines: (invoice.lines ?? []).map(toLine),
  buyer: invoice.buyer ?? null,
  reason: invoice.reason ?? null,
});

const toLine = ({ line, order_id, date, text, net, taxes, tax, gross }: InvoiceLine): z.infer<typeof lineSchema> => ({
  line,
  order_id,
  line_date: date,
  text,
  net,
  tax_code: taxes.length === 0 ? null : taxes.map(({ tax_code }) => tax_code).join('+'),
  tax,
  gross,
});
