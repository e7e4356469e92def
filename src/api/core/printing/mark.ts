/**
 * An identifier of a document that is computed before the document is created: 32 bytes that depend on its content and
 * look random. The keys of the persons in the document are part of the computation. Once these keys are destroyed,
 * guesses of the content cannot be tested, not even with the service's secret.
 */
import { createHmac } from 'node:crypto';
import { base32 } from '../../../events/core/base32.js';

export interface MarkInput {
  /** Everything that determines the appearance. */
  readonly content: unknown;
  readonly business: number;
  /** Subjects of the persons' encryption keys. */
  readonly subjects: readonly string[];
}

/** `keys`: the keys of the subjects; an erased subject has none. */
export function markOf(secret: Buffer, marked: MarkInput, keys: ReadonlyMap<string, Buffer>): Buffer {
  const { content, business, subjects } = marked;
  const subjectKeys = subjects.map((subject) => [subject, keys.get(subject)?.toString('base64') ?? null]);
  return createHmac('sha256', secret)
    .update(JSON.stringify([business, subjectKeys, content]))
    .digest();
}

/** The document number: 50 bits, too many to guess. It reveals neither the number of documents nor their content. */
export const numberOf = (mark: Buffer): string => `D-${base32(mark.readBigUInt64BE(16), 10)}`;
/** The file id inside the PDF: it makes the hash of the file impossible to guess, too. */
export const fileIdOf = (mark: Buffer): Buffer => mark.subarray(0, 16);
