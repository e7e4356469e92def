/** Credits an invoice as a whole or in part. All credit notes of an invoice together never exceed one of its lines. */
import { decimal, digitsOf, exact, fixed, type Decimal } from '../../events/core/money.js';
import type { InvoiceLine, InvoiceTax } from '../../events/invoices/events.js';
import { DomainError } from '../core/domain-error.js';
import { isZero, ZERO } from './lines.js';

/** A line of the invoice to credit. Without a net amount: the rest of it. */
export interface CreditedLine {
  readonly line: number;
  readonly net?: string | undefined;
}

export interface Crediting {
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  /** The lines of all earlier credit notes of the invoice. */
  readonly credited: readonly InvoiceLine[];
  /** Absent: everything that is left of the invoice. */
  readonly requested?: readonly CreditedLine[] | undefined;
}

export interface Credit {
  readonly lines: InvoiceLine[];
  /** Orders of whose lines nothing is left. */
  readonly released: number[];
}

/**
 * The lines of the credit note. Throws CONFLICT if a line does not have the amount, or if nothing is left. A part of a
 * line has the same part of its taxes; the last part has the rest of them, so no cent is lost.
 */
export function creditOf({ currency, lines, credited, requested }: Crediting): Credit {
  const before = new Map<number, InvoiceLine[]>();
  for (const one of credited) before.set(one.line, [...(before.get(one.line) ?? []), one]);
  const left = new Map(lines.map((line) => [line.line, rest(line, before.get(line.line) ?? [], currency)]));
  const wanted = requested ?? [...left.values()].filter(isSomething).map(({ line }) => ({ line }));
  const made = wanted.map(({ line, net }: CreditedLine) => {
    const available = left.get(line);
    if (!available || !isSomething(available)) throw new DomainError('CONFLICT');
    const part = net === undefined ? available : partOf(available, exact({ amount: net, currency }).amount, currency);
    left.set(line, rest(available, [part], currency));
    return part;
  });
  if (made.length === 0) throw new DomainError('CONFLICT');
  const open = new Set([...left.values()].filter(isSomething).map(({ order_id }) => order_id));
  const touched = [...new Set(made.map(({ order_id }) => order_id))];
  return { lines: made, released: touched.filter((id) => !open.has(id)) };
}

const isSomething = ({ net, tax }: InvoiceLine): boolean => !isZero(net) || !isZero(tax);

/** The part of a line that the given lines do not cover. */
function rest(line: InvoiceLine, covered: readonly InvoiceLine[], currency: string): InvoiceLine {
  const less = (amount: string, of: readonly string[]) => of.reduce((so, one) => so.minus(one), decimal(amount));
  return lineWith(
    line,
    less(
      line.net,
      covered.map(({ net }) => net),
    ),
    line.taxes.map((tax, index) =>
      less(
        tax.amount,
        covered.map(({ taxes }) => taxes[index]!.amount),
      ),
    ),
    currency,
  );
}

/** A part of the line with this net amount, which has the sign of the line and does not exceed it. */
function partOf(line: InvoiceLine, net: string, currency: string): InvoiceLine {
  const [part, whole] = [decimal(net), decimal(line.net)];
  const isOtherSign = part.times(whole).lte(ZERO);
  if (isOtherSign || part.abs().gt(whole.abs())) throw new DomainError('CONFLICT');
  if (part.eq(whole)) return line;
  const taxes = line.taxes.map(({ amount }) => nearer(decimal(amount).times(part).div(whole), amount, currency));
  return lineWith(line, part, taxes, currency);
}

/** The rounded share, but never more than the whole tax. */
function nearer(share: Decimal, whole: string, currency: string): Decimal {
  const rounded = share.round(digitsOf(currency));
  return rounded.abs().gt(decimal(whole).abs()) ? decimal(whole) : rounded;
}

function lineWith(line: InvoiceLine, net: Decimal, amounts: readonly Decimal[], currency: string): InvoiceLine {
  const digits = digitsOf(currency);
  const tax = amounts.reduce((sum, amount) => sum.plus(amount), ZERO);
  return {
    ...line,
    net: fixed(net, digits),
    taxes: line.taxes.map((one, index): InvoiceTax => ({ ...one, amount: fixed(amounts[index]!, digits) })),
    tax: fixed(tax, digits),
    gross: fixed(net.plus(tax), digits),
  };
}
