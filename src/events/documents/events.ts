/**
 * Documents that the service issues, in two streams:
 * - `document-<id>`: the fingerprint of the file, without personal data, so that its event can be shown to anyone who
 *   has the file.
 * - `documentlink-<id>`: the subjects of the document, for its business only. One event per subject, so that each can
 *   be erased separately.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { derivedId } from '../otep/identity.js';

export const DOCUMENT_PREFIX = 'document-';
export const LINK_PREFIX = 'documentlink-';
/** `sha256`: hash of the file, in hex. */
export const documentId = (sha256: string): string => derivedId('document', sha256);
export const documentStream = (sha256: string): string => `${DOCUMENT_PREFIX}${documentId(sha256)}`;
export const linkStream = (sha256: string): string => `${LINK_PREFIX}${documentId(sha256)}`;

export const DOCUMENT_KINDS = ['label', 'invoice', 'receipt'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

const text = z.string();
const fingerprint = {
  /** Hash of the file, in hex. */
  sha256: text,
  kind: z.enum(DOCUMENT_KINDS),
  /** The number that is printed on each page. */
  number: text,
  business: z.int(),
};

export const DocumentIssued = eventType(
  'DocumentIssued',
  z.object({
    ...fingerprint,
    bytes: z.int(),
    pages: z.int(),
    /** Name and version of the software that created it. */
    made_by: text,
  }),
  // Version 1 had only the kind `label`.
  { version: 2, upcast: { 1: (data) => data } },
);

export const DocumentLinked = eventType(
  'DocumentLinked',
  z.object({
    ...fingerprint,
    /** User id of the first requester. */
    requested_by: z.int().optional(),
    /** `order-<id>`; absent: erased. */
    subject: personal(text),
  }),
  // Version 1 had only the kind `label`.
  { version: 2, upcast: { 1: (data) => data } },
);

export const DOCUMENT_EVENTS = [DocumentIssued] as const;
export const LINK_EVENTS = [DocumentLinked] as const;
