/** Splits a document into parts of text. Each part is small enough for an append on any engine. */
import { hash } from 'node:crypto';

/**
 * Length in UTF-16 units. A unit takes at most three bytes, or two when escaped. After encryption and base64 encoding,
 * a part has at most 0.8 MB.
 */
const PART = 196_608;

export interface Parts {
  /** SHA-256 of the whole text, in hexadecimal. */
  readonly digest: string;
  /** The parts of the text, at least one. */
  readonly parts: readonly string[];
}

export function toParts(value: unknown): Parts {
  const text = JSON.stringify(value);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART) parts.push(text.slice(at, at + PART));
  return { digest: hash('sha256', text), parts };
}

export const fromParts = (parts: readonly string[]): unknown => JSON.parse(parts.join(''));
