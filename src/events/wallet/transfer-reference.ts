/**
 * Payment references of top-ups: 10 characters that customers copy into a bank transfer, and staff copy from a bank
 * statement.
 *
 * - `T`, then the id of the top-up in base 36 with 8 digits, then a check character.
 * - The check character follows ISO 7064, MOD 37,36. It finds every single wrong character, and nearly all swaps of two
 *   neighbours.
 */

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const BASE = CHARACTERS.length;
const ID_DIGITS = 8;
/** Maximum id of a stream. */
const MAX_ID = 2_147_483_647;

/** The payment reference of a top-up. */
export function transferReference(topUpId: number): string {
  const text = `T${topUpId.toString(BASE).toUpperCase().padStart(ID_DIGITS, '0')}`;
  return text + checkCharacterOf(text);
}

/**
 * The id of the top-up with this payment reference; undefined if it is not a valid reference. Case, spaces and hyphens
 * do not matter, because banks change them.
 */
export function topUpOf(reference: string): number | undefined {
  const text = reference.toUpperCase().replace(/[\s-]/g, '');
  if (!/^T[0-9A-Z]{9}$/.test(text) || checkCharacterOf(text.slice(0, -1)) !== text.at(-1)) return undefined;
  const id = Number.parseInt(text.slice(1, -1), BASE);
  return id >= 1 && id <= MAX_ID ? id : undefined;
}

/** ISO 7064, MOD 37,36, of a text of digits and capital letters. */
export function checkCharacterOf(text: string): string {
  let product = BASE;
  for (const character of text) {
    const sum = (product + CHARACTERS.indexOf(character)) % BASE || BASE;
    product = (2 * sum) % (BASE + 1);
  }
  return CHARACTERS[(BASE + 1 - product) % BASE]!;
}
