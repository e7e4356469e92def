/**
 * Makes personal text searchable without storing it, by a keyed hash. The same text gives the same bytes. Without the
 * key, guessed texts cannot be tested.
 */
import { createHmac } from 'node:crypto';

export type BlindIndex = (text: string) => Buffer;

/** `key`: 32 bytes, used for this index only. */
export function createBlindIndex(key: Buffer): BlindIndex {
  return (text) => createHmac('sha256', key).update(text).digest();
}
