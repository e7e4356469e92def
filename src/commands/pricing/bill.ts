/** The lines of one price, while it is calculated, and their running sums. */
import { decimal, fixed, type Decimal } from '../../events/core/money.js';
import type { Surcharge, Tax } from '../../events/pricing/card.js';
import type { Basis, LineKind, PriceLine } from '../../events/pricing/outcome.js';

export const ZERO = decimal('0');
export const HUNDREDTH = decimal('0.01');

/** Amounts of money are below 10 to the power of this exponent. */
const MAX_EXPONENT = 12;

/** Amounts of lines are rounded before they are added; sums are never rounded again. */
export class Bill {
  readonly lines: PriceLine[] = [];
  /** Sum of the lines that are no taxes. */
  subtotal = ZERO;
  surcharges = ZERO;
  /** All taxes, including those that other lines include. */
  taxes = ZERO;
  total = ZERO;
  private untaxed = ZERO;
  /** Exponent of the largest line. */
  private largest = 0;

  constructor(
    /** Digits of the currency. */
    readonly digits: number,
  ) {}

  /**
   * Sum of the taxable lines. A discount also refers to lines that are not taxable, but it never makes the sum negative.
   */
  get taxable(): Decimal {
    const taxable = this.subtotal.minus(this.untaxed);
    return taxable.lt(ZERO) ? ZERO : taxable;
  }

  /** Whether an amount has too many digits to be money. */
  get isTooLarge(): boolean {
    return this.largest >= MAX_EXPONENT || this.total.e >= MAX_EXPONENT;
  }

  round(amount: Decimal): Decimal {
    return amount.round(this.digits);
  }

  text(amount: Decimal): string {
    return fixed(amount, this.digits);
  }

  /** Adds a taxable line. */
  add(kind: LineKind, amount: Decimal, basis: Basis, code: string = kind): void {
    this.lines.push({ code, kind, amount: this.text(amount), taxable: true, basis });
    this.count(amount);
  }

  addSurcharge({ code, names, taxable }: Surcharge, amount: Decimal, basis: Basis): void {
    this.lines.push({ code, kind: 'surcharge', ...(names && { names }), amount: this.text(amount), taxable, basis });
    this.count(amount);
    this.surcharges = this.surcharges.plus(amount);
    if (!taxable) this.untaxed = this.untaxed.plus(amount);
  }

  addTax({ code, names, inclusive }: Tax, amount: Decimal, basis: Basis): void {
    this.lines.push({
      code,
      kind: 'tax',
      ...(names && { names }),
      amount: this.text(amount),
      taxable: false,
      tax_code: code,
      ...(inclusive && { is_included: true }),
      basis,
    });
    this.largest = Math.max(this.largest, amount.e);
    this.taxes = this.taxes.plus(amount);
    if (!inclusive) this.total = this.total.plus(amount);
  }

  private count(amount: Decimal): void {
    this.largest = Math.max(this.largest, amount.e);
    this.subtotal = this.subtotal.plus(amount);
    this.total = this.subtotal;
  }
}
