/**
 * Encryption at rest under the master key, for subject keys and stored responses. AES-256-GCM; nonce, tag and
 * ciphertext in one buffer.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { drawBytes } from '../events/core/random.js';
import { StartupError } from './startup-error.js';

export interface Vault {
  readonly seal: (plain: Buffer, context: string) => Buffer;
  /** Throws if the box was changed, belongs to another context, or was encrypted under another master key. */
  readonly open: (box: Buffer, context: string) => Buffer;
}

/** `masterKey`: 32 bytes. `purpose` separates the keys of different uses; `context` binds a box to its record. */
export function createVault(masterKey: Buffer, purpose: string): Vault {
  if (masterKey.length !== 32)
    throw new StartupError('MASTER_KEY must be 32 bytes, as 64 hexadecimal digits or base64.');
  return vaultOf(Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32)));
}

/** A vault with a separate key, 32 bytes. */
export function vaultOf(key: Buffer): Vault {
  return {
    seal(plain, context) {
      const nonce = drawBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const [text, rest] = [cipher.update(plain), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), text, rest]);
    },
    open(box, context) {
      const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(context))
        .setAuthTag(box.subarray(12, 28));
      return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()]);
    },
  };
}
