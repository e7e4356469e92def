/**
 * GS1 keys in their two spellings, EPC URN and Digital Link, and the canonical form of both. The canonical form is
 * `https://id.gs1.org/...` with the finest level of identification only (CBV 2.0 event hash, rules 17 and 18). Source:
 * GS1 Digital Link URI Syntax section 4.11. The structure of a link is checked, its check digit is not.
 */
import { keyOfUrn, type Gs1Key } from './epc-urn.js';

/** Primary keys with the format of their values, and their qualifiers from the finest to the coarsest. */
const LINK_KEYS: ReadonlyMap<string, { readonly form: RegExp; readonly qualifiers: readonly string[] }> = new Map([
  ['00', { form: /^\d{18}$/, qualifiers: [] }],
  ['01', { form: /^(?:\d{8}|\d{12,14})$/, qualifiers: ['21', '235', '10', '22'] }],
  ['253', { form: /^\d{13}[^/]{0,51}$/, qualifiers: [] }],
  ['255', { form: /^\d{13,25}$/, qualifiers: [] }],
  ['401', { form: /^\d{6}[^/]+$/, qualifiers: [] }],
  ['402', { form: /^\d{17}$/, qualifiers: [] }],
  ['414', { form: /^\d{13}$/, qualifiers: ['254'] }],
  ['417', { form: /^\d{13}$/, qualifiers: [] }],
  ['8003', { form: /^\d{14}[^/]{0,48}$/, qualifiers: [] }],
  ['8004', { form: /^\d{6}[^/]+$/, qualifiers: [] }],
  ['8006', { form: /^\d{18}$/, qualifiers: ['21', '10', '22'] }],
  ['8010', { form: /^\d{6}[^/]+$/, qualifiers: ['8011'] }],
  ['8017', { form: /^\d{18}$/, qualifiers: [] }],
  ['8018', { form: /^\d{18}$/, qualifiers: [] }],
]);

/**
 * Short names that early Digital Links use in place of application identifiers (GS1 Digital Link 1.1 section 5.7). They
 * are deprecated but still accepted.
 */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['sscc', '00'],
  ['gtin', '01'],
  ['lot', '10'],
  ['ser', '21'],
  ['cpv', '22'],
  ['gdti', '253'],
  ['glnx', '254'],
  ['gcn', '255'],
  ['ginc', '401'],
  ['gsin', '402'],
  ['gln', '414'],
  ['party', '417'],
  ['grai', '8003'],
  ['giai', '8004'],
  ['itip', '8006'],
  ['cpid', '8010'],
  ['cpsn', '8011'],
  ['gsrnp', '8017'],
  ['gsrn', '8018'],
]);

/** Returns the application identifier that a path segment represents, either as a number or as a short name. */
type Identifier = (part: string) => string;
const numberOf: Identifier = (part) => SHORT_NAMES.get(part) ?? part;
const asItIs: Identifier = (part) => part;

/** Consumer product variant (22): a qualifier of links that the canonical form omits. */
const DROPPED = '22';

function keyOfLink(link: string, identifier: Identifier): Gs1Key | null {
  const path = /^https?:\/\/[^/?#]+\/([^?#]*)/.exec(link)?.[1]?.replace(/\/$/, '').split('/') ?? [];
  // The key may follow any path on any domain. Therefore the search starts at the end of the path, and all segments
  // after the key must be its qualifiers.
  for (let at = path.length - 2; at >= 0; at -= 2) {
    const ai = identifier(path[at]!);
    const key = LINK_KEYS.get(ai);
    if (key === undefined) continue;
    const value = path[at + 1]!;
    const qualifiers = path.slice(at + 2).map((part, index) => (index % 2 === 0 ? identifier(part) : part));
    return key.form.test(value)
      ? qualified({ ai, value: ai === '01' ? value.padStart(14, '0') : value }, key.qualifiers, qualifiers)
      : null;
  }
  return null;
}

function qualified(key: Gs1Key, known: readonly string[], rest: readonly string[]): Gs1Key | null {
  let finest = known.length;
  for (let at = 0; at < rest.length; at += 2) {
    const rank = known.indexOf(rest[at]!);
    if (rank < 0) return null;
    finest = Math.min(finest, rank);
  }
  const ai = known[finest];
  return ai === undefined || ai === DROPPED ? key : { ...key, qualifier: { ai, value: rest[rest.indexOf(ai) + 1]! } };
}

/** Returns the GS1 key that a URI names, or null if it names no supported key. */
export function keyOf(uri: string, identifier = numberOf): Gs1Key | null {
  if (uri.startsWith('urn:epc:')) return keyOfUrn(uri);
  return uri.startsWith('http') ? keyOfLink(uri, identifier) : null;
}

/** Returns the canonical Digital Link of a URI that names a GS1 key; any other URI is returned unchanged. */
export const canonicalUri = (uri: string): string => linkOf(uri, numberOf);

/** Like `canonicalUri`, but does not recognize short names: a link with a short name is returned unchanged. */
export const numericalUri = (uri: string): string => linkOf(uri, asItIs);

function linkOf(uri: string, identifier: Identifier): string {
  const key = keyOf(uri, identifier);
  if (key === null) return uri;
  const link = `https://id.gs1.org/${key.ai}/${key.value}`;
  return key.qualifier === undefined ? link : `${link}/${key.qualifier.ai}/${key.qualifier.value}`;
}

/** Returns the global location number of a place or of a party, or null. */
export function glnOf(uri: string): string | null {
  const key = keyOf(uri);
  return key !== null && (key.ai === '414' || key.ai === '417') ? key.value : null;
}
