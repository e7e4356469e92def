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
