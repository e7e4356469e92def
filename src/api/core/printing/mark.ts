/**
 * What makes a document known before it is made: 32 bytes that follow from its content and look random. The keys of the
 * people that it is about go in, so that nobody can try contents out once these are destroyed, not even who has the
 * service's own secret.
 */
import { createHmac } from 'node:crypto';
import { base32 } from '../../../events/core/base32.js';

export interface Marked {
  /** All that decides how it looks. */
  readonly content: unknown;
  readonly business: number;
  /** Subjects of the people's keys. */
  readonly subjects: readonly string[];
}

/** `keys`: those of the subjects; of an erased one there is none. */
export function markOf(secret: Buffer, marked: Marked, keys: ReadonlyMap<string, Buffer>): Buffer {
  const { content, business, subjects } = marked;
  const people = subjects.map((subject) => [subject, keys.get(subject)?.toString('base64') ?? null]);
  return createHmac('sha256', secret)
    .update(JSON.stringify([business, people, content]))
    .digest();
}

/** 50 bits, too many to guess, which tell neither how many documents there are nor what they are about. */
export const numberOf = (mark: Buffer): string => `D-${base32(mark.readBigUInt64BE(16), 10)}`;
/** Of the PDF, in which it stands: the file's hash cannot be tried out either. */
export const fileIdOf = (mark: Buffer): Buffer => mark.subarray(0, 16);
