/** An address as one text that is the same however it is typed: what datasets of places are asked by. */

export interface PlaceText {
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly country?: string | undefined;
}

/** Letters and digits alone, without accents: `Invalidenstraße 44` and `INVALIDENSTRASSE 44` are one. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/str(\.|\b)/gu, 'strasse')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Null unless street and postal code or city are there. The country is no part of it: often it is not said. */
export function addressKey({ street, city, postal_code }: PlaceText): string | null {
  if (!street || !(postal_code || city)) return null;
  return [areaOf({ postal_code, city }), plain(street)].join('/');
}

/** What keys of the same area begin with. */
export const areaOf = ({ postal_code, city }: PlaceText): string => plain(postal_code || city || '');

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Of a record that has the columns of an address and its `position`. */
export function placeKey(values: Readonly<Record<string, unknown>>): string | null {
  if (typeof values['position'] !== 'object' || values['position'] === null) return null;
  return addressKey({
    street: textOf(values['street']),
    city: textOf(values['city']),
    postal_code: textOf(values['postal_code']),
  });
}

/** `12 rue de la Paix`, `221B Baker Street`; neither the 5 of `5th Avenue` nor that of `1. Mai-Straße`. */
const BEFORE = /^(\d+(?: ?(?:bis|ter|quater)|[a-z])?)[ ,]+(\S.*)$/iu;
const BEHIND = /^(.*?\D)(\d+\D?)$/u;

/** The street without its house, and the number of the house: behind it or before it; empty: it has none. */
function partsOf(street: string): { readonly street: string; readonly house: string } {
  const [, name, behind] = BEHIND.exec(plain(street)) ?? [];
  if (behind !== undefined) return { street: name!, house: behind };
  const [, before, rest] = BEFORE.exec(street.trim()) ?? [];
  return before === undefined ? { street: plain(street), house: '' } : { street: plain(rest!), house: plain(before) };
}

const digitsOf = (text: string): string => text.replace(/\D/gu, '');

/** All the digits of the street and its house: those of places that may be meant are the same. */
export const streetDigits = (street: string): string => digitsOf(plain(street));

/**
 * How much alike two streets are, 0 to 1: nothing where the houses, or numbers in the names, are not the same
 * (places R9).
 */
export function likeness(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (one.house !== other.house || digitsOf(one.street) !== digitsOf(other.street)) return 0;
  return similarity(one.street, other.street);
}

/** The share of trigrams that both texts have, as PostgreSQL's pg_trgm counts. */
function similarity(a: string, b: string): number {
  const [one, other] = [trigramsOf(a), trigramsOf(b)];
  const both = [...one].filter((trigram) => other.has(trigram)).length;
  return both / (one.size + other.size - both);
}

function trigramsOf(text: string): Set<string> {
  const letters = [...`  ${text} `];
  return new Set(letters.slice(2).map((letter, at) => letters[at]! + letters[at + 1]! + letter));
}

/** Degrees: about 450 metres from south to north. */
const CELL = 0.004;
/** Cells of one look around, at most: near the poles they are narrow. */
const MOST_CELLS = 500;
const cellName = (row: number, column: number): string => `${row}:${column}`;

/** The cell of a grid that a position lies in: records near a position are those of the cells around it. */
export function cellOf(values: Readonly<Record<string, unknown>>): string | null {
  const { latitude, longitude } = (values['position'] ?? {}) as { latitude?: unknown; longitude?: unknown };
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  return cellName(Math.floor(latitude / CELL), Math.floor(longitude / CELL));
}

const METRES_A_DEGREE = 111_195;

/** Names of the cells that hold everything so near. */
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
      if (cells.length < MOST_CELLS) cells.push(cellName(row, column));
  return cells;
}
