/**
 * Ids of quotes. They are derived, so that the same request of the same caller gets the same quotes for a minute, even
 * from two processes.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { withFormat } from '../../../events/core/format.js';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** 130 bits. */
const CHARACTERS = 26;
export const REPEAT_MS = 60_000;

export const rateIdSchema = withFormat(z.string().regex(/^rt_[a-z2-7]{26}$/), '`rt_` and 26 characters');

/** `key`: 32 secret bytes. `parts`: everything that makes one quote differ from another. */
export function rateId(key: Buffer, parts: readonly (string | number | null)[]): string {
  const digest = createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  let bits = BigInt(`0x${digest.toString('hex')}`);
  let text = '';
  for (let index = 0; index < CHARACTERS; index += 1) {
    text += BASE32[Number(bits & 31n)];
    bits >>= 5n;
  }
  return `rt_${text}`;
}
