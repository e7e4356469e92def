/** The form that tracking numbers are compared in: NFKC, upper case, without white space and hyphens. */
export const normalizeNumber = (number: string): string => number.normalize('NFKC').toUpperCase().replace(/[\s\p{Pd}]/gu, '');
