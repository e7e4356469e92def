/**
 * Documents that the service issues. Stream `document-<id>`: the fingerprint of the file and nothing that concerns a
 * person, so that its event can be shown to whoever has the file. Stream `documentlink-<id>`: what the document is
 * about, for its business alone; one event for each subject, so that each is forgotten by itself.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { derivedId } from '../otep/identity.js';

export const DOCUMENT_PREFIX = 'document-';
export const LINK_PREFIX = 'documentlink-';
/** `sha256`: of the file, in hex. */
export const documentId = (sha256: string): string => derivedId('document', sha256);
export const documentStream = (sha256: string): string => `${DOCUMENT_PREFIX}${documentId(sha256)}`;
export const linkStream = (sha256: string): string => `${LINK_PREFIX}${documentId(sha256)}`;

export const DOCUMENT_KINDS = ['label'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

const text = z.string();
const fingerprint = {
  /** Of the file, in hex. */
  sha256: text,
  kind: z.enum(DOCUMENT_KINDS),
  /** As it stands on each page. */
  number: text,
  business: z.int(),
};

export const DocumentIssued = eventType(
  'DocumentIssued',
  z.object({
    ...fingerprint,
    bytes: z.int(),
    pages: z.int(),
    /** What drew it, and its version. */
    made_by: text,
  }),
);

export const DocumentLinked = eventType(
  'DocumentLinked',
  z.object({
    ...fingerprint,
    /** User id of who asked for it first. */
    requested_by: z.int().optional(),
    /** `order-<id>`. Absent: erased. */
    subject: personal(text),
  }),
);

export const DOCUMENT_EVENTS = [DocumentIssued] as const;
export const LINK_EVENTS = [DocumentLinked] as const;
