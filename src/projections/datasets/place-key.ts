/** Normalizes an address to a key that does not depend on spelling. Datasets of places are searched by this key. */

export interface PlaceText {
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly country?: string | undefined;
}

/** Keeps only letters and digits, without accents: `Invalidenstraße 44` and `INVALIDENSTRASSE 44` become equal. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/str(\.|\b)/gu, 'strasse')
    .replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Null without a street, or without both postal code and city. The country is not part of the key, because it is often
 * missing.
 */
export function addressKey({ street, city, postal_code }: PlaceText): string | null {
  if (!street || !(postal_code || city)) return null;
  return [areaOf({ postal_code, city }), plain(street)].join('/');
}

/** The common prefix of the keys in one area. */
export const areaOf = ({ postal_code, city }: PlaceText): string => plain(postal_code || city || '');

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The key of a record that has the columns of an address and a `position`. */
export function placeKey(values: Readonly<Record<string, unknown>>): string | null {
  if (typeof values['position'] !== 'object' || values['position'] === null) return null;
  return addressKey({
    street: textOf(values['street']),
    city: textOf(values['city']),
    postal_code: textOf(values['postal_code']),
  });
}

/**
 * Finds house numbers as in `12 rue de la Paix` and `221B Baker Street`, but not the 5 of `5th Avenue` or the 1 of `1.
 * Mai-Straße`.
 */
const BEFORE = /^(\d+(?: ?(?:bis|ter|quater)|[a-z])?)[ ,]+(\S.*)$/iu;
const BEHIND = /^(.*?\D)(\d+\D?)$/u;

/**
 * Splits a street into its name and the house number before or after it. `houseNumber` is empty if there is none.
 */
function partsOf(street: string): { readonly street: string; readonly houseNumber: string } {
  const [, name, behind] = BEHIND.exec(plain(street)) ?? [];
  if (behind !== undefined) return { street: name!, houseNumber: behind };
  const [, before, rest] = BEFORE.exec(street.trim()) ?? [];
  return before === undefined
    ? { street: plain(street), houseNumber: '' }
    : { street: plain(rest!), houseNumber: plain(before) };
}

const digitsOf = (text: string): string => text.replace(/\D/gu, '');

/** All digits of the street and the house number. A place can only match if its digits are the same. */
export const streetDigits = (street: string): string => digitsOf(plain(street));

/**
 * Similarity of two streets, from 0 to 1. It is 0 if the house numbers, or numbers in the names, differ (places R9).
 */
export function likeness(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (one.houseNumber !== other.houseNumber || digitsOf(one.street) !== digitsOf(other.street)) return 0;
  return similarity(one.street, other.street);
}

/** The share of common trigrams, calculated like PostgreSQL's pg_trgm. */
function similarity(a: string, b: string): number {
  const [one, other] = [trigramsOf(a), trigramsOf(b)];
  const both = [...one].filter((trigram) => other.has(trigram)).length;
  return both / (one.size + other.size - both);
}

function trigramsOf(text: string): Set<string> {
  const letters = [...`  ${text} `];
  return new Set(letters.slice(2).map((letter, at) => letters[at]! + letters[at + 1]! + letter));
}

/** Size of a grid cell in degrees: about 450 metres from south to north. */
const CELL = 0.004;
/** Maximum number of cells per search. Near the poles, cells are narrow, so a search covers many. */
const MAX_CELLS = 500;
const cellName = (row: number, column: number): string => `${row}:${column}`;

/** The grid cell of a position. Records near a position are found in the cells around it. */
export function cellOf(values: Readonly<Record<string, unknown>>): string | null {
  const { latitude, longitude } = (values['position'] ?? {}) as { latitude?: unknown; longitude?: unknown };
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  return cellName(Math.floor(latitude / CELL), Math.floor(longitude / CELL));
}

const METRES_A_DEGREE = 111_195;

/** Names of the cells that cover all positions within this distance. */
export function cellsAround(at: { readonly latitude: number; readonly longitude: number }, metres: number): string[] {
  const high = metres / METRES_A_DEGREE;
  const wide = high / Math.max(0.01, Math.cos((at.latitude * Math.PI) / 180));
  const cells: string[] = [];
  for (let row = Math.floor((at.latitude - high) / CELL); row <= Math.floor((at.latitude + high) / CELL); row += 1)
    for (
      let column = Math.floor((at.longitude - wide) / CELL);
      column <= Math.floor((at.longitude + wide) / CELL);
      column += 1
    )
      if (cells.length < MAX_CELLS) cells.push(cellName(row, column));
  return cells;
}
