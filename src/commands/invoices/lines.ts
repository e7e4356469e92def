/** The lines of an invoice: the charges of its orders, grouped by the taxes that apply to them. */
import type { Charge } from '../../events/bill/events.js';
import { compare, decimal, fixed, digitsOf, type Decimal } from '../../events/core/money.js';
import type { InvoiceLine, InvoiceTax, TaxSummary } from '../../events/invoices/events.js';
import type { Family } from '../../events/pricing/families.js';

/** An order whose charges are invoiced. */
export interface InvoicedOrder {
  readonly order_id: number;
  readonly bill_version: number;
  readonly date: string;
  readonly family: Family;
  readonly charges: readonly Charge[];
}

/** The totals of an invoice or a credit note. */
export interface Totals {
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
  readonly tax_summary: TaxSummary[];
}

export const ZERO = decimal('0');
const MAX_TEXT = 120;
const ELLIPSIS = '…';

type Group = Pick<InvoiceLine, 'text' | 'net' | 'taxes' | 'tax' | 'gross'>;

/**
 * The lines of these orders. Groups of charges that cost nothing are omitted. `nameOf`: the text of a charge. The sum of
 * the gross amounts equals the sum of the bills.
 */
export function invoiceLines(
  orders: readonly InvoicedOrder[],
  currency: string,
  nameOf: (order: InvoicedOrder, charge: Charge) => string,
): InvoiceLine[] {
  const lines = orders.flatMap(({ charges, ...order }) =>
    groupsOf(charges, currency, (charge) => nameOf({ ...order, charges }, charge)).map((group) => ({
      ...order,
      ...group,
    })),
  );
  return lines.map(({ order_id, bill_version, date, family, text, net, taxes, tax, gross }, index) => ({
    line: index + 1,
    order_id,
    bill_version,
    date,
    family,
    text,
    net,
    taxes,
    tax,
    gross,
  }));
}

function groupsOf(charges: readonly Charge[], currency: string, nameOf: (charge: Charge) => string): Group[] {
  const taxes = charges.filter(({ kind }) => kind === 'tax');
  const others = charges.filter(({ kind }) => kind !== 'tax');
  // The office enters taxes as amounts, without the lines to which they apply: they apply to all.
  const isTaxed = others.some(({ taxable }) => taxable) ? ({ taxable }: Charge) => taxable : () => taxes.length > 0;
  const groups = [
    groupOf(others.filter(isTaxed), taxes),
    groupOf(
      others.filter((charge) => !isTaxed(charge)),
      [],
    ),
  ];
  return groups.filter(({ net, tax }) => !isZero(net) || !isZero(tax));

  function groupOf(some: readonly Charge[], applied: readonly Charge[]): Group {
    const digits = digitsOf(currency);
    const included = sumOf(applied.filter(({ is_included }) => is_included === true));
    const net = sumOf(some).minus(included);
    const tax = sumOf(applied);
    return {
      text: shortened([...new Set(some.map(nameOf))].join(', ')),
      net: fixed(net, digits),
      taxes: applied.map(({ code, tax_code = code, basis, amount }): InvoiceTax => ({
        tax_code,
        ...(basis?.['percent'] !== undefined && { percent: basis['percent'] }),
        amount: fixed(decimal(amount), digits),
      })),
      tax: fixed(tax, digits),
      gross: fixed(net.plus(tax), digits),
    };
  }
}

/** Sums of lines, and of their taxes by code and percentage. */
export function totalsOf(lines: readonly InvoiceLine[], currency: string): Totals {
  const digits = digitsOf(currency);
  const summary = new Map<string, { tax: InvoiceTax | undefined; net: Decimal; amount: Decimal }>();
  const add = (tax: InvoiceTax | undefined, net: string): void => {
    const key = JSON.stringify([tax?.tax_code, tax?.percent]);
    const before = summary.get(key) ?? { tax, net: ZERO, amount: ZERO };
    summary.set(key, { tax, net: before.net.plus(net), amount: before.amount.plus(tax?.amount ?? '0') });
  };
  for (const { net, taxes } of lines) {
    if (taxes.length === 0) add(undefined, net);
    for (const tax of taxes) add(tax, net);
  }
  const total = (member: 'net' | 'tax' | 'gross'): string =>
    fixed(
      lines.reduce((sum, line) => sum.plus(line[member]), ZERO),
      digits,
    );
  return {
    net: total('net'),
    tax: total('tax'),
    gross: total('gross'),
    tax_summary: [...summary.values()].map(({ tax, net, amount }) => ({
      ...(tax && { tax_code: tax.tax_code }),
      ...(tax?.percent !== undefined && { percent: tax.percent }),
      net: fixed(net, digits),
      tax: fixed(amount, digits),
    })),
  };
}

export const isZero = (amount: string): boolean => compare(amount, '0') === 0;

const sumOf = (charges: readonly Charge[]): Decimal => charges.reduce((sum, { amount }) => sum.plus(amount), ZERO);

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_TEXT ? text : `${characters.slice(0, MAX_TEXT - 1).join('')}${ELLIPSIS}`;
}
