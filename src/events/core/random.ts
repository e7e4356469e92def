/** Random bytes by the thousand: to ask the system for a few costs more than the bytes do. */
import { randomBytes } from 'node:crypto';

const AT_ONCE = 8_192;
let drawn = Buffer.alloc(0);
let given = 0;

/** `count` bytes, at most 8,192, that nobody else gets. */
export function drawBytes(count: number): Buffer {
  if (drawn.length - given < count) {
    drawn = randomBytes(AT_ONCE);
    given = 0;
  }
  return drawn.subarray(given, (given += count));
}
