/** Encrypts the bytes of a file in chunks. Any change, move, removal or truncation of chunks is detected. */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { drawBytes } from '../../events/core/random.js';

const PLAIN = 65_536;
const NONCE = 12;
const TAG = 16;
const SEALED = NONCE + TAG + PLAIN;
const ALGORITHM = 'aes-256-gcm';

/** Each file has a separate key, which is derived from the key of its subject. */
const keyOf = (subjectKey: Buffer, id: string): Buffer => Buffer.from(hkdfSync('sha256', subjectKey, id, 'file', 32));

/** The last chunk is marked, so that a truncated file is detected. */
const placeOf = (index: number, last: boolean): Buffer => Buffer.from(`${index} ${last ? 'last' : 'more'}`);

export function sealFile(content: Buffer, subjectKey: Buffer, id: string): Buffer {
  const key = keyOf(subjectKey, id);
  const count = Math.max(1, Math.ceil(content.length / PLAIN));
  const chunks = Array.from({ length: count }, (_, index) => {
    const nonce = drawBytes(NONCE);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(placeOf(index, index === count - 1));
    const text = cipher.update(content.subarray(index * PLAIN, (index + 1) * PLAIN));
    cipher.final();
    return [nonce, cipher.getAuthTag(), text];
  });
  return Buffer.concat(chunks.flat());
}

/** Throws if the bytes differ from the encrypted original. */
export function openFile(sealed: Buffer, subjectKey: Buffer, id: string): Buffer {
  const key = keyOf(subjectKey, id);
  const count = Math.ceil(sealed.length / SEALED);
  const chunks = Array.from({ length: count }, (_, index) => {
    const chunk = sealed.subarray(index * SEALED, (index + 1) * SEALED);
    const decipher = createDecipheriv(ALGORITHM, key, chunk.subarray(0, NONCE), { authTagLength: TAG })
      .setAAD(placeOf(index, index === count - 1))
      .setAuthTag(chunk.subarray(NONCE, NONCE + TAG));
    const text = decipher.update(chunk.subarray(NONCE + TAG));
    decipher.final();
    return text;
  });
  return Buffer.concat(chunks);
}
