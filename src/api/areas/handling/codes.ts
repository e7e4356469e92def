/** Converts scanned codes to the stored forms of numbers: plain numbers, and elements of GS1 labels. */
import { normalizeNumber } from '../../../events/otep/check/subject.js';

/** Symbology identifier that scanners add as a prefix: `]C1` is GS1-128. */
const SYMBOLOGY = /^\][A-Za-z]\d/;
/** Separator at the end of an element of variable length. */
const SEPARATOR = '\u001d';

/** Length of elements without separator, identifier included, by the identifier's first two digits (GS1 7.8.5). */
const FIXED_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    { length: 20, of: ['00'] },
    { length: 18, of: ['04'] },
    { length: 16, of: ['01', '02', '03', '41'] },
    { length: 10, of: ['31', '32', '33', '34', '35', '36'] },
    { length: 8, of: ['11', '12', '13', '14', '15', '16', '17', '18', '19'] },
    { length: 4, of: ['20'] },
  ].flatMap(({ length, of }) => of.map((identifier) => [identifier, length])),
);
const SSCC = /^00(\d{18})$/;
const GTIN = /^01(\d{14})$/;

/** Possible forms of a code. The first is the plain code; others are SSCC (AI 00) and GTIN (AI 01) at any place. */
export function variantsOf(scannedText: string): string[] {
  const normalizedText = scannedText.trim().replace(SYMBOLOGY, '');
  const text = normalizedText.split(SEPARATOR)[0]!;
  const elements = elementsOf(normalizedText.replace(/[()\s]/g, ''));
  const sscc = firstOf(elements, SSCC);
  const gtin = firstOf(elements, GTIN);
  const variants = [
    text,
    normalizeNumber(text),
    sscc,
    gtin,
    // A GTIN of 13 digits equals the same GTIN with a leading zero.
    gtin?.startsWith('0') ? gtin.slice(1) : undefined,
  ];
  return [...new Set(variants.filter((variant): variant is string => variant !== undefined && variant !== ''))];
}

/** Splits an element string into elements with their identifiers. Other text gives meaningless pieces. */
function elementsOf(text: string): string[] {
  const elements: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = FIXED_LENGTHS[text.slice(at, at + 2)];
    const separated = text.indexOf(SEPARATOR, at);
    const end = separated < 0 ? text.length : separated;
    const next = length === undefined ? end : Math.min(at + length, end);
    elements.push(text.slice(at, next));
    at = text[next] === SEPARATOR ? next + 1 : next;
  }
  return elements;
}

const firstOf = (elements: readonly string[], pattern: RegExp): string | undefined =>
  elements.map((element) => pattern.exec(element)?.[1]).find((found) => found !== undefined);
