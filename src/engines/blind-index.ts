/**
 * Finds personal text without storing it: a keyed hash. The same text gives the same bytes, and nobody without
 * the key can try texts out.
 */
import { createHmac } from 'node:crypto';

export type BlindIndex = (text: string) => Buffer;

/** `key`: 32 bytes, of this index alone. */
export function createBlindIndex(key: Buffer): BlindIndex {
  return (text) => createHmac('sha256', key).update(text).digest();
}
