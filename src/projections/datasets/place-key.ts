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
  return [postal_code || city!, street].map(plain).join('/');
}

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

/** The area, the street and the number of the house in a key; null: it has no number at its end. */
export function partsOf(
  key: string,
): { readonly area: string; readonly street: string; readonly house: string } | null {
  const [, area, street, house] = /^([^/]*)\/(.*?\D)(\d+\D?)$/u.exec(key) ?? [];
  return house === undefined ? null : { area: area!, street: street!, house };
}

/** How much alike two texts are, 0 to 1: the share of their trigrams that both have, as PostgreSQL's pg_trgm counts. */
export function similarity(a: string, b: string): number {
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
