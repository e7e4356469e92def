/** Random bytes by the thousand: to ask the system for a few costs more than the bytes do. */
import { randomBytes } from 'node:crypto';

const AT_ONCE = 8_192;
let left = Buffer.alloc(0);

/** `count` bytes, at most 8,192, that nobody else gets. */
export function drawBytes(count: number): Buffer {
  if (left.length < count) left = randomBytes(AT_ONCE);
  const drawn = left.subarray(0, count);
  left = left.subarray(count);
  return drawn;
}
