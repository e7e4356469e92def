/**
 * The check digit of all numeric GS1 keys (GS1 General Specifications, section 7.9): weights 3 and 1 from the right,
 * modulo 10.
 */

/** The digit that follows `digits`, which must be digits only. */
export function checkDigit(digits: string): string {
  let sum = 0;
  for (let index = digits.length - 1, weight = 3; index >= 0; index -= 1, weight = 4 - weight)
    sum += (digits.charCodeAt(index) - 48) * weight;
  return String((10 - (sum % 10)) % 10);
}

export const withCheckDigit = (digits: string): string => digits + checkDigit(digits);

/** Whether `text` is digits only and ends in their check digit. */
export const hasCheckDigit = (text: string): boolean =>
  /^\d+$/.test(text) && text.endsWith(checkDigit(text.slice(0, -1)));

/** Serial shipping container code: eighteen digits, the last the check digit. */
export const isSscc = (text: string): boolean => text.length === 18 && hasCheckDigit(text);

/**
 * The SSCC in digits, also with blanks and with the application identifier 00. Undefined if there is none. For other
 * notations see gs1-parcel.ts.
 */
export function ssccIn(text: string): string | undefined {
  const digits = text.replaceAll(/[\s()]/g, '').replace(/^00(?=\d{18}$)/, '');
  return isSscc(digits) ? digits : undefined;
}

/** Global location number: thirteen digits, the last the check digit. */
export const isGln = (text: string): boolean => text.length === 13 && hasCheckDigit(text);
