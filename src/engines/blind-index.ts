/**
 * Finds personal text without storing it: a keyed hash. The same text gives the same bytes, and nobody without
 * MASTER_KEY can try texts out.
 */
import { createHmac, hkdfSync } from 'node:crypto';

export type BlindIndex = (text: string) => Buffer;

/** `masterKey`: 32 bytes. `purpose` separates the indexes of different uses. */
export function createBlindIndex(masterKey: Buffer, purpose: string): BlindIndex {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32));
  return (text) => createHmac('sha256', key).update(text).digest();
}
