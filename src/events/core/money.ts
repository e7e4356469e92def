/** Exact amounts of money: decimal texts, never floating-point numbers. */
import Big from 'big.js';
import { z } from 'zod';
import { withFormat } from './format.js';

/** Throws if a JavaScript number is passed. */
const Exact = Big();
Exact.strict = true;
Exact.RM = Big.roundHalfUp;

const AMOUNT = /^-?(0|[1-9]\d{0,11})(\.\d{1,4})?$/;

/** The greatest amount; the pattern also limits each amount of a request. */
export const MAX_AMOUNT = '999999999999.9999';

/** ISO 4217: number of decimal digits, for currencies that do not have two. ICU has different values for some. */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
};
const TWO_DIGITS = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP ' +
    'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
    'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
    'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
    'TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWG'
  ).split(' '),
);

export const isCurrency = (code: string): boolean => Object.hasOwn(DIGITS, code) || TWO_DIGITS.has(code);
/** Number of decimal digits of the currency. */
export const digitsOf = (currency: string): number => DIGITS[currency] ?? 2;

/** The smallest amount above zero, such as 0.01. */
export const smallestAmount = (currency: string): string =>
  new Exact('1').div(new Exact('10').pow(digitsOf(currency))).toFixed();

/** A decimal text with at most twelve digits before and four after the point. */
export const amountSchema = withFormat(z.string().regex(AMOUNT), 'decimal number, such as 12.50');
export const currencySchema = withFormat(z.string().refine(isCurrency), 'ISO 4217, such as EUR');
export const moneySchema = z.object({ amount: amountSchema, currency: currencySchema });
export type Money = z.infer<typeof moneySchema>;

/** The amount has more decimal digits than its currency. */
export class TooPrecise extends Error {
  override readonly name = 'TooPrecise';

  constructor(readonly currency: string) {
    super(`${currency} has ${digitsOf(currency)} digits`);
  }
}

/** Pads the amount to the currency's decimal digits. Throws TooPrecise if it has more. */
export function exact({ amount, currency }: Money): Money {
  const digits = digitsOf(currency);
  if ((amount.split('.')[1]?.length ?? 0) > digits) throw new TooPrecise(currency);
  return { amount: fixed(new Exact(amount), digits), currency };
}

/** Rounds half away from zero to the currency's digits. Each line is rounded once; totals are sums of rounded lines. */
export const rounded = (amount: string, currency: string): string => fixed(new Exact(amount), digitsOf(currency));

/** A decimal for several exact operations in a row. Operations throw if a JavaScript number is passed. */
export type Decimal = Big;
export const decimal = (text: string): Decimal => new Exact(text);

/** The product of two decimal texts, not rounded. */
export const times = (amount: string, factor: string): string => new Exact(amount).times(factor).toFixed();

/** The sum, with the currency's digits. Throws if the currencies differ. */
export function sum(first: Money, ...others: readonly Money[]): Money {
  const other = others.find(({ currency }) => currency !== first.currency);
  if (other) throw new TypeError(`${other.currency} cannot be added to ${first.currency}`);
  const total = others.reduce((so, { amount }) => so.plus(amount), new Exact(first.amount));
  return { amount: fixed(total, digitsOf(first.currency)), currency: first.currency };
}

/** The first amount minus the second, with the currency's digits. Throws if the currencies differ. */
export const minus = (first: Money, second: Money): Money =>
  sum(first, { amount: negated(second.amount), currency: second.currency });

/** The amount with the other sign; zero has none. */
export const negated = (amount: string): string =>
  amount.startsWith('-') ? amount.slice(1) : compare(amount, '0') === 0 ? amount : `-${amount}`;

/** -1, 0 or 1: whether the first amount is below, equal to or above the second. */
export const compare = (first: string, second: string): number => new Exact(first).cmp(second);
export const isNegative = (amount: string): boolean => compare(amount, '0') < 0;
export const isPositive = (amount: string): boolean => compare(amount, '0') > 0;

/** Formats an amount, rounded half away from zero to these digits; zero has no sign. */
export function fixed(amount: Decimal, digits: number): string {
  const text = amount.toFixed(digits);
  return text.startsWith('-0') ? text.replace(/^-(0(?:\.0*)?)$/, '$1') : text;
}
