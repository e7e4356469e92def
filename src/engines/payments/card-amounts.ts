/**
 * Amounts in the form of the Stripe protocol: whole numbers of the smallest unit that the protocol has for a currency,
 * which differs from ISO 4217 for some (https://docs.stripe.com/currencies).
 */
import { decimal, digitsOf, exact } from '../../events/core/money.js';

const codes = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Amounts are numbers of whole units. */
const WHOLE = codes('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF');
/** Amounts are hundredths, but only whole units can be paid. */
const WHOLE_AS_HUNDREDTHS = codes('ISK UGX');
/** Amounts are thousandths, but only hundredths can be paid. */
const THOUSANDTHS = codes('BHD JOD KWD OMR TND');

/** Number of decimal digits that a card payment can have: at most those of the currency. */
export function cardDigitsOf(currency: string): number {
  if (WHOLE.has(currency) || WHOLE_AS_HUNDREDTHS.has(currency)) return 0;
  return Math.min(digitsOf(currency), 2);
}

const scaleOf = (currency: string): number => (WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2);

/** Throws RangeError for an amount with more digits than `cardDigitsOf`. */
export function toCardAmount({ amount, currency }: { readonly amount: string; readonly currency: string }): number {
  const exactly = decimal(amount);
  if (!exactly.eq(exactly.round(cardDigitsOf(currency)))) throw new RangeError('The amount has too many digits.');
  return exactly.times(powerOfTen(scaleOf(currency))).toNumber();
}

/** Throws TooPrecise if the provider reports a part of the smallest unit of the currency. */
export const fromCardAmount = (units: number, currency: string): string =>
  exact({
    amount: decimal(String(units))
      .div(powerOfTen(scaleOf(currency)))
      .toFixed(),
    currency,
  }).amount;

const powerOfTen = (digits: number) => decimal(`1${'0'.repeat(digits)}`);
