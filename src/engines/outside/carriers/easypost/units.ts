/** Exact conversion to ounces and inches. EasyPost accepts one decimal place; values are rounded up to it. */
import Big from 'big.js';

/** Grams of an avoirdupois ounce, exact by definition. */
const GRAMS_PER_OUNCE = '28.349523125';
const CM_PER_INCH = '2.54';

/** A separate constructor: its rounding does not affect other users of the library. */
const Tenths = Big();
Tenths.DP = 1;
Tenths.RM = Big.roundUp;

export const toOunces = (kg: number, pieces = 1): number =>
  new Tenths(kg).times(1_000).times(pieces).div(GRAMS_PER_OUNCE).toNumber();

export const toInches = (cm: number): number => new Tenths(cm).div(CM_PER_INCH).toNumber();

/** Rounded to grams. */
export const toKilograms = (ounces: number): number =>
  new Big(ounces).times(GRAMS_PER_OUNCE).div(1_000).round(3).toNumber();
