/** The office issues invoices and credit notes. */
import { z } from 'zod';
import { compact } from '../../../events/core/compact.js';
import { withFormat } from '../../../events/core/format.js';
import { amountSchema, currencySchema } from '../../../events/core/money.js';
import { isCountry } from '../../../events/otep/countries.js';
import type { InvoiceQueries } from '../../../projections/invoices/queries.js';
import { userOf } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { invalidField, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactMoney } from '../../core/money.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Wallets } from '../wallet/wallets.js';
import { MAX_LINES, type Drafts } from './drafts.js';
import type { IssueDocument } from './issuing.js';
import { visibleInvoice } from './visible.js';

const DEFAULT_DUE_DAYS = 14;
const MAX_DUE_DAYS = 120;

const text = (max: number) => z.string().trim().min(1).max(max).optional();
const buyerInput = z
  .strictObject({
    name: text(200),
    company: text(200),
    email: z.email().max(254).optional(),
    street: text(300),
    street_2: text(200),
    postal_code: text(20),
    city: text(200),
    region: text(200),
    country: withFormat(z.string().length(2).refine(isCountry), 'ISO 3166-1 alpha-2, such as DE').optional(),
    tax_id: text(40).describe('For example the VAT number.'),
  })
  .meta({ id: 'InvoiceBuyerInput' });

const WRITE = {
  area: 'Billing',
  callers: ['client_admin'],
  scopes: ['billing:write'],
  writes: true,
  awaits: ['invoices'],
  returns: { read: 'invoice' },
} as const;
const UNAVAILABLE = { 503: '`UNAVAILABLE`: the service is issuing many documents of the business at the moment.' };
const NO_PROFILE =
  '`NO_BILLING_PROFILE`: the business has no billing profile. The invoice needs it for the data of the seller.';
const NO_FONT = { 422: '`NO_FONT`: the service has no font for some characters.' };

export interface InvoiceChangesOptions {
  readonly issueDocument: IssueDocument;
  readonly drafts: Drafts;
  readonly queries: InvoiceQueries;
  readonly wallets: Pick<Wallets, 'businessOfCustomer' | 'keyOf'>;
}

export const invoiceChanges = ({ issueDocument, drafts, queries, wallets }: InvoiceChangesOptions): Operation[] => [
  operation({
    ...WRITE,
    name: 'invoiceIssue',
    summary: 'Issue an invoice',
    description: `Issues an invoice with all charges of a customer that no invoice contains yet. The period refers to the date on which an order got its price, as in \`bills\`. Orders that cost nothing are omitted. An invoice has at most ${MAX_LINES} lines. It never changes: later changes of a bill require a credit note. Webhook: \`invoice.issued\`.`,
    rest: { method: 'post', path: '/v1/invoices', status: 201 },
    risk: 'medium',
    answers: {
      404: 'The business has no such customer.',
      409: `\`NOTHING_DUE\`: the period has no charges to invoice. ${NO_PROFILE}`,
      ...NO_FONT,
      ...UNAVAILABLE,
    },
    input: z.object({
      customer_id: idSchema,
      currency: currencySchema
        .optional()
        .describe('The invoice contains only charges in this currency. Default: the currency of the billing profile.'),
      date_from: dateSchema,
      date_to: dateSchema.describe('Last date, included.'),
      due_days: z.int().min(0).max(MAX_DUE_DAYS).default(DEFAULT_DUE_DAYS).describe('Days until the invoice is due.'),
      buyer: buyerInput
        .optional()
        .describe('Buyer that the invoice names. Default: name and email address of the customer account.'),
    }),
    output: z.object({ result: z.boolean(), invoice_id: z.int() }),
    async run({ customer_id, currency, date_from, date_to, due_days, buyer }, context) {
      const { caller } = context;
      if (date_from > date_to) throw invalidForm('date_to', 'not before `date_from`');
      const business = await wallets.businessOfCustomer(customer_id, caller);
      const key = await wallets.keyOf(customer_id, currency, business);
      const request = {
        business,
        timezone: userOf(caller).timezone,
        customerId: customer_id,
        currency: key.currency,
        dateFrom: date_from,
        dateTo: date_to,
        dueDays: due_days,
        buyer: buyer && compact(buyer),
      };
      return { result: true, invoice_id: await issueDocument(customer_id, () => drafts.invoice(request), context) };
    },
  }),
  operation({
    ...WRITE,
    name: 'creditNoteIssue',
    summary: 'Issue a credit note for an invoice',
    description:
      'Corrects an invoice, as a whole or in part. Credit notes and invoices share one series of numbers. An order whose lines are credited completely can be invoiced again, with its current charges. A credit note does not move money: refunds are separate. Webhook: `invoice.issued`.',
    rest: { method: 'post', path: '/v1/invoices/:invoice_id/credit-notes', status: 201 },
    risk: 'high',
    answers: {
      404: 'There is no such invoice.',
      409: `\`CONFLICT\`: the credit notes would exceed the invoice, or the document is a credit note. ${NO_PROFILE}`,
      ...NO_FONT,
      ...UNAVAILABLE,
    },
    input: z.object({
      invoice_id: idSchema.describe('Id of the invoice.'),
      lines: z
        .array(
          z
            .strictObject({
              line: z.int().min(1).max(MAX_LINES).describe('Number of the line in the invoice.'),
              net: amountSchema
                .optional()
                .describe(
                  'Net amount to credit, with the sign of the line. Default: the amount of the line that is not credited yet.',
                ),
            })
            .meta({ id: 'CreditedLineInput' }),
        )
        .min(1)
        .max(MAX_LINES)
        .optional()
        .describe(
          'Lines to credit. Default: all amounts of the invoice that are not credited yet. Taxes are credited in proportion.',
        ),
      reason: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Reason of the credit note, which is printed on it.'),
    }),
    output: z.object({ result: z.boolean(), invoice_id: z.int().describe('Id of the credit note.') }),
    async run({ invoice_id, lines, reason }, context) {
      const { customer_id, currency } = await visibleInvoice(queries, invoice_id, context.caller);
      const requested = lines?.map(({ line, net }, index) => ({
        line,
        ...(net !== undefined && { net: exactMoney({ amount: net, currency }, `/lines/${index}/net`).amount }),
      }));
      mustBeUnique(lines?.map(({ line }) => line) ?? []);
      const request = { invoiceId: invoice_id, lines: requested, reason };
      const draft = () => drafts.creditNote(request, context.caller);
      return { result: true, invoice_id: await issueDocument(customer_id, draft, context) };
    },
  }),
];

/** Throws INVALID_INPUT at the first number that occurs a second time. */
function mustBeUnique(lines: readonly number[]): void {
  const seen = new Set<number>();
  const repeated = lines.findIndex((line) => seen.size === seen.add(line).size);
  if (repeated >= 0) throw invalidField('NOT_UNIQUE', 'line', `/lines/${repeated}/line`);
}
