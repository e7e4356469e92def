/** Encodes numbers for people: digits and letters that are not easily confused (Crockford's base 32). */
export const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Encodes the lowest bits, five per character. */
export function base32(bits: bigint, characters: number): string {
  let text = '';
  for (let digit = 0; digit < characters; digit++, bits >>= 5n) text = BASE32[Number(bits & 31n)] + text;
  return text;
}
