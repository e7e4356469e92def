/** Extracts GS1 keys from EPC URNs. Source: EPC Tag Data Standard section 6. */
import { withCheckDigit } from './gs1.js';

export interface Gs1Key {
  /** Application identifier of the key: `00` SSCC, `01` GTIN, `414` GLN of a place, `417` GLN of a party, ... */
  readonly ai: string;
  readonly value: string;
  /** Finer level of identification: serial, lot or extension. */
  readonly qualifier?: { readonly ai: string; readonly value: string };
}

interface Urn {
  readonly prefix: string;
  readonly reference: string;
  /** The part after the second dot; empty for schemes that have only two parts. */
  readonly serial: string;
}

type Build = (urn: Urn) => Gs1Key | null;

/** Encodes the characters that an EPC URN writes literally and a Digital Link must encode (Digital Link table 7-1). */
const encode = (text: string): string =>
  text.replace(/[!()*+,:]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns the digits of a key without its check digit, or null if prefix and reference together are not `length`
 * digits.
 */
function digits({ prefix, reference }: Urn, length: number): string | null {
  const all = prefix + reference;
  return all.length === length && /^\d+$/.test(all) ? all : null;
}

/** For schemes that move the first digit of the reference to the front: GTIN (indicator) and SSCC (extension digit). */
function moved(urn: Urn, length: number): string | null {
  return digits(urn, length) === null || urn.reference === ''
    ? null
    : withCheckDigit(urn.reference[0]! + urn.prefix + urn.reference.slice(1));
}

const gtin =
  (qualifier?: string): Build =>
  (urn) => {
    const value = moved(urn, 13);
    if (value === null) return null;
    return qualifier === undefined
      ? { ai: '01', value }
      : { ai: '01', value, qualifier: { ai: qualifier, value: encode(urn.serial) } };
  };

/** Builds a numeric key: the fixed text `before`, `length` digits, the check digit, and the serial. */
const numeric =
  (ai: string, length: number, before = ''): Build =>
  (urn) => {
    const all = digits(urn, length);
    return all === null ? null : { ai, value: before + withCheckDigit(all) + encode(urn.serial) };
  };

/** Builds a key that consists of the company prefix and free text. */
const text =
  (ai: string): Build =>
  ({ prefix, reference, serial }) => ({
    ai,
    value: prefix + encode(serial === '' ? reference : `${reference}.${serial}`),
  });

/** Builds the key of one piece of a trade item. Piece number and total are between the GTIN and the serial. */
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
  [
    'id:sscc',
    (urn) => {
      const value = moved(urn, 17);
      return value === null ? null : { ai: '00', value };
    },
  ],
  [
    'id:sgln',
    (urn) => {
      const key = numeric('414', 12)({ ...urn, serial: '' });
      return key === null || urn.serial === '0' ? key : { ...key, qualifier: { ai: '254', value: encode(urn.serial) } };
    },
  ],
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
  [
    'id:cpi',
    ({ prefix, reference, serial }) => ({
      ai: '8010',
      value: prefix + encode(reference),
      qualifier: { ai: '8011', value: serial },
    }),
  ],
  ['id:itip', piece],
  ['idpat:itip', piece],
]);

const EPC_URN = /^urn:epc:(id|class|idpat):([a-z]+):(\d{6,12})\.([^.]*)(?:\.(.+))?$/;

/** Returns the GS1 key that an EPC URN names, or null if its scheme or form is unknown. */
export function keyOfUrn(urn: string): Gs1Key | null {
  const match = EPC_URN.exec(urn);
  if (match === null) return null;
  const [, kind, scheme, prefix, reference, serial = ''] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  if (kind !== 'idpat') return SCHEMES.get(`${kind}:${scheme}`)?.({ prefix, reference, serial }) ?? null;
  // A pattern that ends in `*` represents all serials of one class. Any other pattern has no canonical link.
  return /(?:^|\.)\*$/.test(serial)
    ? (SCHEMES.get(`idpat:${scheme}`)?.({ prefix, reference, serial: serial.slice(0, -2) }) ?? null)
    : null;
}
