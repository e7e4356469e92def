/** Reads of invoices and credit notes, for the office and for the customer. */
import { z } from 'zod';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import type { InvoiceQueries } from '../../../projections/invoices/queries.js';
import { userOf, type Caller } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { currencySchema } from '../../../events/core/money.js';
import type { Family } from '../../../events/pricing/families.js';
import { printedNumber } from '../../../events/invoices/events.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { inJson, pdfDocument, pdfInput, pdfOutput, wantsPdf } from '../../core/printing/pdf-answer.js';
import type { Wallets } from '../wallet/wallets.js';
import { invoiceSchema, kindSchema, toInvoice, toListedInvoice } from './shapes.js';
import type { StoredPdfs } from './stored-pdf.js';
import { invoiceViewerOf, visibleInvoice } from './visible.js';

const READ = {
  area: 'Billing',
  callers: ['client_admin', 'employee', 'auditor', 'customer'],
  scopes: ['billing:read'],
} as const;
const NOT_FOUND = { 404: 'There is no such document, or it is addressed to another customer.' };
const invoiceId = idSchema.describe('Id of the invoice or of the credit note.');

export interface InvoiceReadingOptions {
  readonly queries: InvoiceQueries;
  readonly pdfs: StoredPdfs;
  readonly wallets: Pick<Wallets, 'businessOfCustomer'>;
  readonly terms: Pick<CustomerTermsQueries, 'hiddenFamilies'>;
}

export function invoiceReads({ queries, pdfs, wallets, terms }: InvoiceReadingOptions): Operation[] {
  return [
    operation({
      ...READ,
      name: 'invoices',
      summary: 'List invoices and credit notes',
      description:
        'Lists documents without lines and buyer, newest first. Customers get only documents that are addressed to them.',
      rest: { method: 'get', path: '/v1/invoices' },
      reads: ['invoices', 'accounts'],
      answers: { 404: 'The business has no such customer, or the caller is another customer.' },
      input: z.object({
        customer_id: idSchema.optional(),
        kind: kindSchema.optional(),
        currency: currencySchema.optional(),
        corrected_invoice_id: idSchema.optional().describe('Return only the credit notes of this invoice.'),
        date_from: dateSchema
          .optional()
          .describe('Return only documents that were issued on this date or later, in the timezone of the business.'),
        date_to: dateSchema.optional().describe('Return only documents that were issued on this date or earlier.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, invoices: z.array(invoiceSchema) }),
      async run({ customer_id, kind, currency, corrected_invoice_id, date_from, date_to, ...page }, { caller }) {
        if (customer_id !== undefined) await wallets.businessOfCustomer(customer_id, caller);
        const viewer = { ...invoiceViewerOf(caller), ...(customer_id !== undefined && { customerId: customer_id }) };
        const filter = { kind, currency, of: corrected_invoice_id, from: date_from, to: date_to };
        const { rows, ...found } = await queries.list({ ...rangeOf(page), ...filter }, viewer);
        return { ...pageOf(page, found), invoices: rows.map(toListedInvoice) };
      },
    }),
    operation({
      ...READ,
      name: 'invoice',
      summary: 'Get an invoice or a credit note',
      description: 'Returns the document with all lines. An issued document never changes. A credit note corrects it.',
      rest: { method: 'get', path: '/v1/invoices/:invoice_id' },
      reads: ['invoices'],
      answers: NOT_FOUND,
      input: z.object({ invoice_id: invoiceId }),
      output: z.object({ result: z.boolean(), invoice: invoiceSchema }),
      async run({ invoice_id }, { caller }) {
        return { result: true, invoice: toInvoice(await visibleInvoice(queries, invoice_id, caller)) };
      },
    }),
    operation({
      ...READ,
      name: 'invoicePdf',
      summary: 'Get an invoice or a credit note as PDF',
      description:
        'Returns the PDF that the service created when it issued the document. `sha256` of the document is the hash of the PDF. The PDF contains its data as an attached JSON file.',
      rest: { method: 'get', path: '/v1/invoices/:invoice_id/pdf' },
      reads: ['invoices', 'customer_terms'],
      answers: {
        403: '`PRICE_HIDDEN_SETTLE_OFFLINE`: the business hides prices of these orders from the customer.',
        404: `${NOT_FOUND[404]} \`FILE_NOT_FOUND\`: the legal storage period of the document has ended.`,
        500: '`FILE_DAMAGED`: the stored PDF differs from the issued PDF.',
      },
      input: z.object({ invoice_id: invoiceId, ...pdfInput }),
      output: z.object({
        result: z.boolean(),
        invoice_pdf: z.object({ invoice_id: z.int(), sha256: z.string(), ...pdfOutput }).meta({ id: 'InvoicePdf' }),
      }),
      async run({ invoice_id, format }, context) {
        const { caller, header } = context;
        const found = await visibleInvoice(queries, invoice_id, caller);
        await mustSeePrices(found.families, caller);
        const issued = await pdfs.open(found, context);
        const name = `${found.kind.replace('_', '-')}-${printedNumber(found)}`;
        if (wantsPdf(format, header('accept'))) return pdfDocument(issued, name);
        return { result: true, invoice_pdf: { invoice_id, sha256: issued.sha256, ...inJson(issued) } };
      },
    }),
  ];

  /** Throws PRICE_HIDDEN_SETTLE_OFFLINE: the PDF would show prices that `invoke` removes from other responses. */
  async function mustSeePrices(families: readonly Family[], caller: Caller): Promise<void> {
    const { role, userId } = userOf(caller);
    const hidden = role === 'customer' ? await terms.hiddenFamilies(userId) : new Set<Family>();
    if (families.some((family) => hidden.has(family))) throw new ApiError('PRICE_HIDDEN_SETTLE_OFFLINE');
  }
}
