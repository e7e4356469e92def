import { createHash } from 'node:crypto';
import type { Matrix } from './problem.js';

/**
 * Canonical JSON (RFC 8785) for values with integers and ASCII names only: sorted names, no white space, undefined
 * members omitted.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** SHA-256 of a problem, solution or plan, in hexadecimal digits. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** SHA-256 of a matrix: its size, then distances and durations as 32-bit integers, little-endian. */
export function matrixFingerprint({ size, distance, duration }: Matrix): string {
  const hash = createHash('sha256').update(`${size}\n`);
  for (const cells of [distance, duration]) {
    const bytes = Buffer.alloc(cells.length * 4);
    cells.forEach((cell, index) => bytes.writeInt32LE(cell, index * 4));
    hash.update(bytes);
  }
  return hash.digest('hex');
}
