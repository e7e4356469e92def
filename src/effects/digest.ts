/**
 * Digest of the request of an effect. It is keyed, because requests contain personal data: a plain hash in the log would
 * allow to guess erased data.
 */
import { createHmac } from 'node:crypto';

/** `key`: 32 bytes. The order of members does not count, and neither do members with the value undefined. */
export const createDigest =
  (key: Buffer) =>
  (request: unknown): string =>
    createHmac('sha256', key).update(JSON.stringify(request, sortMembers)).digest('hex');

/** A replacer of `JSON.stringify` that sorts the members of objects. */
const sortMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
