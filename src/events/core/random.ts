/** Random bytes, drawn in blocks: a system call costs more than a few bytes. */
import { randomBytes } from 'node:crypto';

const AT_ONCE = 8_192;
let drawn = Buffer.alloc(0);
let given = 0;

/** `count` random bytes (at most 8,192) that are never returned again. */
export function drawBytes(count: number): Buffer {
  if (drawn.length - given < count) {
    drawn = randomBytes(AT_ONCE);
    given = 0;
  }
  return drawn.subarray(given, (given += count));
}
