/** A document as text in parts, each small enough for an append of any engine. */
import { hash } from 'node:crypto';

/** UTF-16 units. Three bytes each at most, or two once escaped; sealed and in base64 that is at most 0.8 MB. */
const PART = 196_608;

export interface Parts {
  /** SHA-256 of the whole text, in hex. */
  readonly digest: string;
  /** At least one. */
  readonly parts: readonly string[];
}

export function toParts(value: unknown): Parts {
  const text = JSON.stringify(value);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART) parts.push(text.slice(at, at + PART));
  return { digest: hash('sha256', text), parts };
}

export const fromParts = (parts: readonly string[]): unknown => JSON.parse(parts.join(''));
