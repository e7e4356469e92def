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
 * The SSCC in a text: digits, also with blanks and (00); an EPC URN; or a Digital Link on any domain. Undefined if
 * there is none.
 */
export function ssccIn(text: string): string | undefined {
  const [, prefix, reference] = /^urn:epc:id:sscc:(\d+)\.(\d+)$/i.exec(text) ?? [];
  if (prefix !== undefined && reference !== undefined)
    return prefix.length + reference.length === 17
      ? withCheckDigit(reference.slice(0, 1) + prefix + reference.slice(1))
      : undefined;
  const linked = /^https?:\/\/[^?#]*\/00\/(\d{18})$/i.exec(text)?.[1];
  const digits = linked ?? text.replaceAll(/[\s()]/g, '').replace(/^00(?=\d{18}$)/, '');
  return isSscc(digits) ? digits : undefined;
}

/** Global location number: thirteen digits, the last the check digit. */
export const isGln = (text: string): boolean => text.length === 13 && hasCheckDigit(text);
