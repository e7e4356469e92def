/** What a scanner read, as the forms in which things are known: plain numbers, and GS1 element strings of labels. */
import { normalizeNumber } from '../../../events/otep/check/subject.js';

/** Prefix by which scanners tell the symbology: `]C1` is GS1-128. */
const SYMBOLOGY = /^\][A-Za-z]\d/;
/** Ends an element of variable length. */
const SEPARATOR = '\u001d';

/** The first is the code as it was read, without what only scanners see. */
export function formsOf(read: string): string[] {
  const text = read.trim().replace(SYMBOLOGY, '').split(SEPARATOR)[0]!;
  const digits = text.replace(/[()\s]/g, '');
  const sscc = /^00(\d{18})$/.exec(digits)?.[1];
  const gtin = /^01(\d{14})(?:\D|$|\d)/.exec(digits)?.[1];
  const forms = [
    text,
    normalizeNumber(text),
    sscc,
    gtin,
    // A GTIN of 13 digits is the same with a zero in front.
    gtin?.startsWith('0') ? gtin.slice(1) : undefined,
  ];
  return [...new Set(forms.filter((form): form is string => form !== undefined && form !== ''))];
}
