/** Issues PDFs: the fingerprint of each PDF is recorded in the log before the PDF is returned. */
import { hash } from 'node:crypto';
import QuickLRU from 'quick-lru';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import type { IssueCommand, LinkCommand } from '../../../commands/documents/decider.js';
import type { KeyRing } from '../../../events/core/codec.js';
import { documentId, documentStream, linkStream } from '../../../events/documents/events.js';
import { isUser } from '../callers.js';
import type { Context } from '../operation.js';
import { fileIdOf, markOf, numberOf } from './mark.js';
import { makePdf } from './pdf.js';
import type { Template } from './template.js';

/** What a document is about. */
export interface DocumentContext {
  readonly business: number;
  /** Subjects of the encryption keys of the persons in the document, each once: `order-<id>`. */
  readonly subjects: readonly string[];
  /** Time of the data that the document shows, RFC 3339. */
  readonly at: string;
}

/**
 * A PDF whose fingerprint is in the log. Only `issue` creates this type, and only this type can be returned as a PDF.
 */
export interface Issued {
  readonly bytes: Buffer;
  /** SHA-256 in hex. */
  readonly sha256: string;
  readonly [ISSUED]: true;
}
declare const ISSUED: unique symbol;

/**
 * Creates the PDF and returns it after its issue is recorded; equal content results in an identical file. Throws
 * NO_FONT and the errors of the log.
 */
export type Issue = <Content>(
  template: Template<Content>,
  content: Content,
  about: DocumentContext,
  context: Pick<Context, 'caller' | 'cause'>,
) => Promise<Issued>;

export interface IssueOptions {
  readonly documents: Handle<IssueCommand, undefined>;
  readonly links: Handle<LinkCommand, undefined>;
  readonly keyRing: Pick<KeyRing, 'keysFor'>;
  /** 32 bytes, used only for documents. */
  readonly secret: Buffer;
  /** Number of documents that are cached: a reprint of a cached one needs no append. */
  readonly cacheSize?: number;
}

export function createIssue({ documents, links, keyRing, secret, cacheSize = 10_000 }: IssueOptions): Issue {
  const known = new QuickLRU<string, true>({ maxSize: cacheSize });

  return async (template, content, { business, subjects, at }, { caller, cause }) => {
    const { kind, name, version } = template;
    const made_by = `${name}/${version}`;
    const keys = await keyRing.keysFor(subjects);
    const mark = markOf(secret, { business, subjects, content: [made_by, at, content] }, keys);
    const number = numberOf(mark);
    const { bytes, pages } = await makePdf(template, content, { number, fileId: fileIdOf(mark), at });
    const sha256 = hash('sha256', bytes, 'hex');
    if (!known.has(sha256)) {
      const fingerprint = { sha256, kind, number, business };
      const requested_by = isUser(caller) ? caller.userId : undefined;
      await Promise.all([
        documents(
          documentStream(sha256),
          { ...fingerprint, bytes: bytes.length, pages, made_by },
          bySystem(business, documentId(sha256)),
        ),
        links(
          linkStream(sha256),
          { ...fingerprint, ...(requested_by !== undefined && { requested_by }), subjects },
          bySystem(business, cause.correlationId),
        ),
      ]);
      known.set(sha256, true);
    }
    return { bytes, sha256 } as Issued;
  };
}

/**
 * The events name the system as actor: a reader needs no permission to write, and the fingerprint
 * reveals no user, token or request.
 */
const bySystem = (business: number, correlationId: string): Cause => ({
  correlationId,
  actor: { kind: 'system', id: 'documents' },
  channel: 'system',
  business: String(business),
});
