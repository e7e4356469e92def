/**
 * GS1 keys in their two spellings, EPC URN and Digital Link, and the one canonical form of both: `https://id.gs1.org/...`
 * with the finest level of identification and nothing else (CBV 2.0 event hash, rules 17 and 18). Sources: EPC Tag Data
 * Standard section 6, GS1 Digital Link URI Syntax section 4.11. Check digits of links are not judged here, only structure.
 */
import { withCheckDigit } from './check-digit.js';

export interface Gs1Key {
  /** Application identifier of the key: `00` SSCC, `01` GTIN, `414` GLN of a place, `417` GLN of a party, ... */
  readonly ai: string;
  readonly value: string;
  /** What makes it finer: serial, lot, extension. */
  readonly qualifier?: { readonly ai: string; readonly value: string };
}

interface Urn {
  readonly prefix: string;
  readonly reference: string;
  /** What stands behind the second dot; absent in the schemes that have two parts only. */
  readonly serial: string;
}

type Build = (urn: Urn) => Gs1Key | null;

/** Characters that an EPC URN writes plainly and a Digital Link must encode (Digital Link table 7-1). */
const encode = (text: string): string => text.replace(/[!()*+,:]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** The digits of a key without its check digit, or null where prefix and reference are not `length` digits together. */
function digits({ prefix, reference }: Urn, length: number): string | null {
  const all = prefix + reference;
  return all.length === length && /^\d+$/.test(all) ? all : null;
}

/** Schemes whose first digit of the reference moves to the front: GTIN (indicator) and SSCC (extension digit). */
function moved(urn: Urn, length: number): string | null {
  return digits(urn, length) === null || urn.reference === '' ? null : withCheckDigit(urn.reference[0]! + urn.prefix + urn.reference.slice(1));
}

const gtin = (qualifier?: string): Build => (urn) => {
  const value = moved(urn, 13);
  if (value === null) return null;
  return qualifier === undefined ? { ai: '01', value } : { ai: '01', value, qualifier: { ai: qualifier, value: encode(urn.serial) } };
};

/** A numeric key of `length` digits and its check digit, `before` it a fixed digit, behind it the serial. */
const numeric = (ai: string, length: number, before = ''): Build => (urn) => {
  const all = digits(urn, length);
  return all === null ? null : { ai, value: before + withCheckDigit(all) + encode(urn.serial) };
};

/** A key that is the company prefix and free text. */
const text = (ai: string): Build => ({ prefix, reference, serial }) => ({ ai, value: prefix + encode(serial === '' ? reference : `${reference}.${serial}`) });

/** One piece of a trade item: its number and the total stand between the GTIN and the serial. */
const piece: Build = (urn) => {
  const [number = '', total = '', ...serial] = urn.serial.split('.');
  const value = moved(urn, 13);
  if (value === null || !/^\d\d$/.test(number) || !/^\d\d$/.test(total)) return null;
  const key = { ai: '8006', value: value + number + total };
  return serial.length === 0 ? key : { ...key, qualifier: { ai: '21', value: encode(serial.join('.')) } };
};

const SCHEMES: ReadonlyMap<string, Build> = new Map<string, Build>([
  ['id:sgtin', gtin('21')],
  ['id:upui', gtin('235')],
  ['class:lgtin', gtin('10')],
  ['idpat:sgtin', gtin()],
  ['id:sscc', (urn) => { const value = moved(urn, 17); return value === null ? null : { ai: '00', value }; }],
  ['id:sgln', (urn) => {
    const key = numeric('414', 12)({ ...urn, serial: '' });
    return key === null || urn.serial === '0' ? key : { ...key, qualifier: { ai: '254', value: encode(urn.serial) } };
  }],
  ['id:pgln', numeric('417', 12)],
  ['id:grai', numeric('8003', 12, '0')],
  ['idpat:grai', numeric('8003', 12, '0')],
  ['id:gdti', numeric('253', 12)],
  ['idpat:gdti', numeric('253', 12)],
  ['id:sgcn', numeric('255', 12)],
  ['idpat:sgcn', numeric('255', 12)],
  ['id:gsrn', numeric('8018', 17)],
  ['id:gsrnp', numeric('8017', 17)],
  ['id:gsin', numeric('402', 16)],
  ['id:ginc', text('401')],
  ['id:giai', text('8004')],
  ['idpat:cpi', text('8010')],
  ['id:cpi', ({ prefix, reference, serial }) => ({ ai: '8010', value: prefix + encode(reference), qualifier: { ai: '8011', value: serial } })],
  ['id:itip', piece],
  ['idpat:itip', piece],
]);

const EPC_URN = /^urn:epc:(id|class|idpat):([a-z]+):(\d{6,12})\.([^.]*)(?:\.(.+))?$/;

function keyOfUrn(urn: string): Gs1Key | null {
  const match = EPC_URN.exec(urn);
  if (match === null) return null;
  const [, kind, scheme, prefix, reference, serial = ''] = match as unknown as [string, string, string, string, string, string?];
  if (kind !== 'idpat') return SCHEMES.get(`${kind}:${scheme}`)?.({ prefix, reference, serial }) ?? null;
  // A pattern stands for all serials of one class; any other pattern has no canonical link.
  return /(?:^|\.)\*$/.test(serial) ? (SCHEMES.get(`idpat:${scheme}`)?.({ prefix, reference, serial: serial.slice(0, -2) }) ?? null) : null;
}

/** Primary keys with the form of their value, and their qualifiers from the finest to the coarsest. */
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

/** The consumer product variant (22) is a qualifier of links that the canonical form leaves out. */
const DROPPED = '22';

function keyOfLink(link: string): Gs1Key | null {
  const path = /^https?:\/\/[^/?#]+\/([^?#]*)/.exec(link)?.[1]?.replace(/\/$/, '').split('/') ?? [];
  // Links may stand below any path of any domain, so the key is looked for from the end, and all behind it must be its qualifiers.
  for (let at = path.length - 2; at >= 0; at -= 2) {
    const key = LINK_KEYS.get(path[at]!);
    if (key === undefined) continue;
    const value = path[at + 1]!;
    return key.form.test(value) ? qualified({ ai: path[at]!, value: path[at] === '01' ? value.padStart(14, '0') : value }, key.qualifiers, path.slice(at + 2)) : null;
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

/** The GS1 key that a URI names, or null where it names none that is known here. */
export function keyOf(uri: string): Gs1Key | null {
  if (uri.startsWith('urn:epc:')) return keyOfUrn(uri);
  return uri.startsWith('http') ? keyOfLink(uri) : null;
}

/** The canonical Digital Link of a URI that names a GS1 key; any other URI comes back as it is. */
export function canonicalUri(uri: string): string {
  const key = keyOf(uri);
  if (key === null) return uri;
  const link = `https://id.gs1.org/${key.ai}/${key.value}`;
  return key.qualifier === undefined ? link : `${link}/${key.qualifier.ai}/${key.qualifier.value}`;
}

/** The global location number of a place or of a party, or null. */
export function glnOf(uri: string): string | null {
  const key = keyOf(uri);
  return key !== null && (key.ai === '414' || key.ai === '417') ? key.value : null;
}
