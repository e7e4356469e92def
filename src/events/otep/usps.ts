/**
 * The barcode of a USPS label (Intelligent Mail package barcode): application identifier 420, ZIP code of 5 or 9 digits,
 * and the number that is printed below it. The number has 22 or 26 digits and begins with 91 to 95. Source: USPS
 * Publication 199.
 */
import { hasCheckDigit } from './gs1.js';

/** Length of the shortest barcode. */
export const MIN_USPS_BARCODE = 30;

const BARCODE = /^420(?:\d{27}|\d{31}|\d{35})$/;
const NUMBER = /^9[1-5](?:\d{20}|\d{24})$/;
/** Digits before the number: identifier and ZIP code. The long code is the usual one. */
const PREFIXES = [12, 8];

/** Blanks, the separator of GS1-128 (as scanners send it), and the parentheses of its printed form. */
const BETWEEN = /[\s()\u001d]/g;

/**
 * Returns the number in a barcode; undefined if the text is no such barcode. The check digit decides only between two
 * possible numbers.
 */
export function uspsNumberIn(text: string): string | undefined {
  const digits = text.replace(BETWEEN, '');
  if (!BARCODE.test(digits)) return undefined;
  const numbers = PREFIXES.map((length) => digits.slice(length)).filter((number) => NUMBER.test(number));
  return numbers.find(hasCheckDigit) ?? numbers[0];
}
