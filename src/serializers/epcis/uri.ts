/** URIs as RFC 3986 writes them. */
import { isIPv6 } from 'node:net';

const CHARACTERS = "A-Za-z0-9\\-._~!$&'()*+,;=:";
/** Any number of the given characters and percent triplets; unrolled, so that no input makes the match backtrack. */
const run = (characters: string) => `[${characters}]*(?:%[0-9A-Fa-f]{2}[${characters}]*)*`;

const SEGMENT = run(`${CHARACTERS}@`);
const FIRST_SEGMENT = `(?:[${CHARACTERS}@]|%[0-9A-Fa-f]{2})${SEGMENT}`;
/**
 * An address in brackets is judged as one; any other authority may have what a path may have, as validators of the
 * schema take it.
 */
const LITERAL_AUTHORITY = `//?(?:${run(CHARACTERS)}@)?\\[([^\\]]*)\\](?::\\d*)?`;
const HIERARCHY = `(?:${LITERAL_AUTHORITY}(?:/${SEGMENT})*|(?:/${SEGMENT})+|${FIRST_SEGMENT}(?:/${SEGMENT})*)`;
const TAIL = run(`${CHARACTERS}@/?`);
const URI = new RegExp(`^[A-Za-z][A-Za-z0-9+\\-.]*:${HIERARCHY}(?:\\?${TAIL})?(?:#${TAIL})?$`);

/**
 * Whether `text` is an absolute URI of RFC 3986 that says more than its scheme. `prefix:name` passes too, as it does in
 * the EPCIS JSON Schema, which takes compact names and URIs alike.
 */
export function isUri(text: string): boolean {
  const match = URI.exec(text);
  if (match === null) return false;
  return match[1] === undefined || isLiteralAddress(match[1]);
}

const isLiteralAddress = (host: string): boolean =>
  (/^[0-9A-Fa-f:.]+$/.test(host) && isIPv6(host)) || new RegExp(`^[Vv][0-9A-Fa-f]+\\.[${CHARACTERS}]+$`).test(host);

/** Percent-encodes whatever may not occur in one part of a URN or of a URL's path, the colon included. */
export const encodePart = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The text that was encoded, or the part itself where it is no valid encoding. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
