/**
 * The normal form of an address. Two addresses of one book with the same normal form are duplicates (address book R2).
 */
import type { Stop } from '../orders/address.js';

/** The owner of an address book: the business, or one of its customers. */
export interface AddressOwner {
  readonly business: number;
  readonly customerId: number | null;
}

/** A keyed hash of the normal form of an owner's address. It reveals nothing without the key. */
export type AddressKeyOf = (owner: AddressOwner, address: Stop) => Buffer;

/** `hash`: the keyed hash of a text. */
export const createAddressKeyOf =
  (hash: (text: string) => Buffer): AddressKeyOf =>
  ({ business, customerId }, address) =>
    hash(`${business}\n${customerId ?? 0}\n${normalAddress(address)}`);

/** Words for a part of a building, and words for a kind of street, with their short forms. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  APARTMENT: 'APT',
  APPARTEMENT: 'APT',
  SUITE: 'STE',
  WOHNUNG: 'WHG',
  FLOOR: 'FL',
  BUILDING: 'BLDG',
  ROOM: 'RM',
  STREET: 'ST',
  AVENUE: 'AVE',
  ROAD: 'RD',
  BOULEVARD: 'BLVD',
  DRIVE: 'DR',
  LANE: 'LN',
  SQUARE: 'SQ',
  PLATZ: 'PL',
};

/**
 * Upper case without accents, punctuation and repeated spaces, with short forms of unit words. `#` means an apartment:
 * `Apt. 4`, `#4` and `Apartment 4` are equal. Only the accents of the Latin, Greek and Cyrillic scripts are removed: the
 * marks of other scripts are vowels or other sounds, which distinguish names.
 */
const normalText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toUpperCase()
    .replaceAll('#', ' APT ')
    .replace(/STR(ASSE|\.|\b)/gu, 'STR ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => SHORT_FORMS[word] ?? word)
    .join(' ');

/** Number of characters of a postal code that count, by country. Senders often omit the rest. */
const SIGNIFICANT_CHARACTERS: ReadonlyMap<string, number> = new Map([['US', 5]]);

/** A postal code without spaces and punctuation. `D-10115` and `DE-10115` in Germany are `10115`. */
function normalPostalCode(code: string, country: string): string {
  const plain = normalText(code).replaceAll(' ', '');
  const [, prefix, digits] = /^([A-Z]{1,2})(\d{4,})$/.exec(plain) ?? [];
  const own = prefix !== undefined && (prefix === country || prefix === country[0]) ? digits! : plain;
  return own.slice(0, SIGNIFICANT_CHARACTERS.get(country));
}

/** One line per member. The region counts only without a postal code, because a postal code determines it. */
export function normalAddress(address: Stop): string {
  const { name, company, street, street_2, city, region, postal_code, country = '' } = address;
  const code = normalPostalCode(postal_code ?? '', country.toUpperCase());
  const unit = normalText(street_2 ?? '');
  return [
    normalText(name ?? ''),
    normalText(company ?? ''),
    [normalText(street ?? ''), unit].filter(Boolean).join(' '),
    normalText(city ?? ''),
    code,
    code === '' ? normalText(region ?? '') : '',
    country.toUpperCase(),
  ].join('\n');
}
