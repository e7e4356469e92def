/** The content of new invoices and credit notes, without their number and their PDF. */
import { creditOf, type CreditedLine } from '../../../commands/invoices/crediting.js';
import { invoiceLines, totalsOf, type InvoicedOrder } from '../../../commands/invoices/lines.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { paidAmount } from '../../../events/bill/state.js';
import { addDays, localDate, startOfDay } from '../../../events/core/local-time.js';
import { compare, isNegative, MAX_AMOUNT, negated, sum } from '../../../events/core/money.js';
import type { Buyer, InvoiceLine, IssuedCreditNote, IssuedInvoice } from '../../../events/invoices/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { BillQueries, OpenBill } from '../../../projections/bills/queries.js';
import type { InvoiceQueries } from '../../../projections/invoices/queries.js';
import { ApiError } from '../../core/errors.js';
import { lineName } from '../pricing/rates.js';
import { visibleInvoice } from './visible.js';
import type { Caller } from '../../core/callers.js';

export const MAX_LINES = 10_000;
/** Maximum number of different taxes of an invoice. */
const MAX_TAXES = 200;
/** Maximum number of lines of all credit notes of an invoice. */
export const MAX_CREDITED_LINES = 2 * MAX_LINES;

type Assigned =
  | 'invoice_id'
  | 'business'
  | 'year'
  | 'series_number'
  | 'issued_at'
  | 'issued_on'
  | 'issued_by'
  | 'document'
  | 'due_date';

/** A document before it gets its number and its date. */
export type Draft =
  | { readonly kind: 'invoice'; readonly data: Omit<IssuedInvoice, Assigned>; readonly dueDays: number }
  | { readonly kind: 'credit_note'; readonly data: Omit<IssuedCreditNote, Assigned> };

export interface DraftsOptions {
  readonly invoices: InvoiceQueries;
  readonly bills: Pick<BillQueries, 'toInvoice'>;
  readonly accounts: Pick<AccountQueries, 'byId' | 'business'>;
}

export interface InvoiceRequest {
  readonly business: number;
  readonly timezone: string;
  readonly customerId: number;
  readonly currency: string;
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly dueDays: number;
  readonly buyer?: Buyer | undefined;
}

export interface CreditRequest {
  readonly invoiceId: number;
  readonly lines?: readonly CreditedLine[] | undefined;
  readonly reason?: string | undefined;
}

export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts({ invoices, bills, accounts }: DraftsOptions) {
  async function sellerOf(business: number): Promise<IssuedInvoice['seller']> {
    const billing = (await accounts.business(business))?.billing;
    if (!billing) throw new ApiError('NO_BILLING_PROFILE');
    const { legal_name, address, tax_ids, bank_details } = billing;
    return { legal_name, address, tax_ids, bank_details };
  }

  /** The given buyer; without one, what the account contains. */
  async function buyerOf(customerId: number, given: Buyer | undefined): Promise<Buyer> {
    const { name, email } = (await accounts.byId(customerId)) ?? {};
    return given ?? { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
  }

  return {
    /** The charges of the period that no invoice contains. Throws NOTHING_DUE, INVALID_INPUT and NO_BILLING_PROFILE. */
    async invoice({ business, timezone, customerId, currency, dueDays, ...request }: InvoiceRequest): Promise<Draft> {
      const { dateFrom: date_from, dateTo: date_to } = request;
      const seller = await sellerOf(business);
      const due = await bills.toInvoice({
        business,
        customerId,
        currency,
        from: startOfDay(date_from, timezone),
        to: startOfDay(addDays(date_to, 1), timezone),
        limit: MAX_LINES + 1,
      });
      const names = new Map(due.map(({ id, charges }) => [id, charges.line_names]));
      const lines = invoiceLines(
        due.map((bill) => invoicedOrder(bill, timezone)),
        currency,
        ({ order_id }, charge) => names.get(order_id)?.[charge.code] ?? lineName(charge, 'en'),
      );
      if (lines.length === 0) throw new ApiError('NOTHING_DUE', { says: 'NOTHING_TO_INVOICE' });
      mustBePrintable(lines);
      const invoiced = due.filter(({ id }) => lines.some(({ order_id }) => order_id === id));
      const zero = { amount: '0', currency };
      return {
        kind: 'invoice',
        dueDays,
        data: {
          customer_id: customerId,
          ...amountsOf(lines, currency),
          paid: sum(zero, ...invoiced.map(({ bill }) => ({ amount: paidAmount(bill), currency }))).amount,
          order_ids: invoiced.map(({ id }) => id),
          seller,
          buyer: await buyerOf(customerId, request.buyer),
          date_from,
          date_to,
        },
      };
    },

    /** Throws NOT_FOUND, and CONFLICT if the invoice does not have the amounts. */
    async creditNote({ invoiceId, lines: requested, reason }: CreditRequest, caller: Caller): Promise<Draft> {
      const invoice = await visibleInvoice(invoices, invoiceId, caller);
      const { currency, customer_id, buyer } = invoice;
      if (invoice.kind !== 'invoice' || !invoice.lines) throw creditTooHigh();
      const count = (await invoices.creditedLineCount(invoiceId)) + (requested?.length ?? 0);
      if (count > MAX_CREDITED_LINES) throw creditTooHigh();
      const credited = (await invoices.creditNotesOf(invoiceId)).flatMap(({ lines = [] }) => lines);
      const { lines, released } = credit(() => creditOf({ currency, lines: invoice.lines!, credited, requested }));
      return {
        kind: 'credit_note',
        data: {
          customer_id,
          ...amountsOf(lines, currency),
          of: invoice.id,
          of_year: invoice.year,
          of_series_number: invoice.series_number,
          released_order_ids: released,
          seller: await sellerOf(invoice.business),
          ...(buyer && { buyer }),
          ...(reason !== undefined && { reason }),
        },
      };
    },
  };
}

/** Throws TOO_MANY_ITEMS at `date_to`. A line with several taxes counts once for each of them. */
function mustBePrintable(lines: readonly InvoiceLine[]): void {
  const size = lines.reduce((sum, { taxes }) => sum + Math.max(1, taxes.length), 0);
  const taxes = new Set(lines.flatMap((line) => line.taxes.map(({ tax_code, percent }) => `${tax_code} ${percent}`)));
  const max = size > MAX_LINES ? MAX_LINES : taxes.size > MAX_TAXES ? MAX_TAXES : undefined;
  if (max === undefined) return;
  throw new ApiError('INVALID_INPUT', {
    errors: [{ field: 'date_to', path: '/date_to', code: 'TOO_MANY_ITEMS', params: { max } }],
  });
}

const creditTooHigh = (): ApiError => new ApiError('CONFLICT', { says: 'CREDIT_TOO_HIGH' });

function credit<T>(decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    throw error instanceof DomainError ? creditTooHigh() : error;
  }
}

const invoicedOrder = ({ id, bill, charges, family, created_at }: OpenBill, timezone: string): InvoicedOrder => ({
  order_id: id,
  bill_version: bill.version,
  date: localDate(Date.parse(created_at), timezone),
  family,
  charges: charges.lines,
});

/** Throws AMOUNT_TOO_HIGH for sums with more than twelve digits. */
function amountsOf(lines: InvoiceLine[], currency: string) {
  const totals = totalsOf(lines, currency);
  const size = (amount: string) => (isNegative(amount) ? negated(amount) : amount);
  if ([totals.net, totals.tax, totals.gross].some((amount) => compare(size(amount), MAX_AMOUNT) > 0))
    throw new ApiError('AMOUNT_TOO_HIGH');
  return {
    currency,
    families: [...new Set(lines.map(({ family }) => family))],
    line_count: lines.length,
    lines,
    ...totals,
  };
}
