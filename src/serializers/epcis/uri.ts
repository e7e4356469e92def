/** URIs by RFC 3986. */
import { isIPv6 } from 'node:net';

const CHARACTERS = "A-Za-z0-9\\-._~!$&'()*+,;=:";
/**
 * Matches any number of the given characters and percent triplets. The loop is unrolled so that no input causes
 * backtracking.
 */
const run = (characters: string) => `[${characters}]*(?:%[0-9A-Fa-f]{2}[${characters}]*)*`;

const SEGMENT = run(`${CHARACTERS}@`);
const FIRST_SEGMENT = `(?:[${CHARACTERS}@]|%[0-9A-Fa-f]{2})${SEGMENT}`;
/**
 * An address in brackets is validated as an IP literal. Any other authority may contain the characters of a path, as
 * schema validators allow.
 */
const LITERAL_AUTHORITY = `//?(?:${run(CHARACTERS)}@)?\\[([^\\]]*)\\](?::\\d*)?`;
const HIERARCHY = `(?:${LITERAL_AUTHORITY}(?:/${SEGMENT})*|(?:/${SEGMENT})+|${FIRST_SEGMENT}(?:/${SEGMENT})*)`;
const TAIL = run(`${CHARACTERS}@/?`);
const URI = new RegExp(`^[A-Za-z][A-Za-z0-9+\\-.]*:${HIERARCHY}(?:\\?${TAIL})?(?:#${TAIL})?$`);

/**
 * Returns whether `text` is an absolute RFC 3986 URI with more than a scheme. `prefix:name` passes too, because the
 * EPCIS JSON Schema accepts compact names and URIs alike.
 */
export function isUri(text: string): boolean {
  const match = URI.exec(text);
  if (match === null) return false;
  return match[1] === undefined || isLiteralAddress(match[1]);
}

const isLiteralAddress = (host: string): boolean =>
  (/^[0-9A-Fa-f:.]+$/.test(host) && isIPv6(host)) || new RegExp(`^[Vv][0-9A-Fa-f]+\\.[${CHARACTERS}]+$`).test(host);

/** Percent-encodes all characters that one part of a URN or of a URL path cannot contain, including the colon. */
export const encodePart = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Decodes the part, or returns it unchanged if it is not validly encoded. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
