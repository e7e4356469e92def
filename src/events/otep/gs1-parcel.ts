/**
 * The parcel that a GS1 identifier names, in any notation: EPC URN (`urn:epc:id:sscc:...`), Digital Link
 * (`https://id.gs1.org/00/...`, on any domain) or element string (`(00)...`). Plain digits name an SSCC only where one
 * is expected, because carriers use numbers of 18 digits as well.
 */
import { canonicalUri, keyOf } from './digital-link.js';
import { isSscc } from './gs1.js';
import type { Subject } from './model.js';

/** Undefined if the text is no such identifier. An SSCC must have its check digit. */
export function gs1ParcelIn(text: string): Pick<Subject, 'gs1_sscc' | 'piece_id'> | undefined {
  const uri = linkOfElements(text) ?? text.trim().replace(/^(?:urn:epc:id:[a-z]+:|https?:)/i, lowerCase);
  const key = keyOf(uri);
  if (key === null) return undefined;
  if (key.ai !== '00') return { piece_id: canonicalUri(uri) };
  return isSscc(key.value) ? { gs1_sscc: key.value } : undefined;
}

const lowerCase = (text: string): string => text.toLowerCase();

const ELEMENT = /\((\d{2,4})\)([^()\s]+)/g;
const ELEMENTS = /^(?:\(\d{2,4}\)[^()\s]+)+$/;

/** Converts an element string, as printed below a barcode, to a Digital Link. */
function linkOfElements(text: string): string | undefined {
  const compact = text.replaceAll(' ', '');
  if (!ELEMENTS.test(compact)) return undefined;
  const path = [...compact.matchAll(ELEMENT)].map(([, ai, value]) => `${ai!}/${encodeValue(value!)}`);
  return `https://id.gs1.org/${path.join('/')}`;
}

/** The characters that a Digital Link must encode (GS1 Digital Link table 7-1). */
const encodeValue = (text: string): string =>
  text.replace(/[!*+,:%&/<>?"]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
