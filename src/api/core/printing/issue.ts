/** Issues PDFs: the fingerprint of each PDF is recorded in the log before the PDF is returned. */
import { hash } from 'node:crypto';
import QuickLRU from 'quick-lru';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import type { IssueCommand, LinkCommand } from '../../../commands/documents/decider.js';
import type { KeyRing } from '../../../events/core/codec.js';
import { documentId, documentStream, linkStream, type DocumentKind } from '../../../events/documents/events.js';
import { isUser } from '../callers.js';
import { ApiError } from '../errors.js';
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
  /** The document is drawn for a dry run: no key is created, so its number is an example. */
  readonly isPreview?: boolean;
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

/** The fingerprint of a PDF, as its event contains it. */
export interface Fingerprint {
  /** SHA-256 in hex. */
  readonly sha256: string;
  readonly kind: DocumentKind;
  /** The number that is printed on each page. */
  readonly number: string;
  readonly bytes: number;
  readonly pages: number;
  /** Name and version of the template. */
  readonly made_by: string;
}

/** A PDF whose fingerprint is not in the log yet, so it must not be returned. */
export interface Drawn {
  readonly fingerprint: Fingerprint;
  readonly content: Buffer;
}

type IssueContext = Pick<Context, 'caller' | 'cause'>;

/**
 * Creates the PDF and returns it after its issue is recorded; equal content results in an identical file. Throws
 * NO_FONT and the errors of the log.
 */
export interface Issue {
  <Content>(
    template: Template<Content>,
    content: Content,
    about: DocumentContext,
    context: IssueContext,
  ): Promise<Issued>;
  /** Only creates the PDF: for a document whose hash is part of another event, which comes first. Throws NO_FONT. */
  draw<Content>(template: Template<Content>, content: Content, about: DocumentContext): Promise<Drawn>;
  /** Records the issue of a stored PDF. Repeating it changes nothing. */
  record(fingerprint: Fingerprint, about: Omit<DocumentContext, 'at'>, by: IssuedBy): Promise<void>;
  /** As `record`, for a response. Throws FILE_DAMAGED if the bytes differ from the fingerprint. */
  kept(
    content: Buffer,
    fingerprint: Fingerprint,
    about: Omit<DocumentContext, 'at'>,
    context: IssueContext,
  ): Promise<Issued>;
}

/** The cause of the issue. */
export interface IssuedBy {
  readonly correlationId: string;
  /** User id of the first requester. */
  readonly requestedBy?: number | undefined;
}

export interface IssueOptions {
  readonly documents: Handle<IssueCommand, undefined>;
  readonly links: Handle<LinkCommand, undefined>;
  readonly keyRing: Pick<KeyRing, 'keysFor' | 'existing'>;
  /** 32 bytes, used only for documents. */
  readonly secret: Buffer;
  /** Number of documents that are cached: a reprint of a cached one needs no append. */
  readonly cacheSize?: number;
}

export function createIssue({ documents, links, keyRing, secret, cacheSize = 10_000 }: IssueOptions): Issue {
  const known = new QuickLRU<string, true>({ maxSize: cacheSize });

  const draw: Issue['draw'] = async (template, content, { business, subjects, at, isPreview = false }) => {
    const { kind, name, version } = template;
    const made_by = `${name}/${version}`;
    const keys = await (isPreview ? keyRing.existing(subjects) : keyRing.keysFor(subjects));
    const mark = markOf(secret, { business, subjects, content: [made_by, at, content] }, keys);
    const number = numberOf(mark);
    const { bytes, pages } = await makePdf(template, content, { number, fileId: fileIdOf(mark), at });
    const sha256 = hash('sha256', bytes, 'hex');
    return { content: bytes, fingerprint: { sha256, kind, number, bytes: bytes.length, pages, made_by } };
  };

  const record: Issue['record'] = async (fingerprint, { business, subjects }, { correlationId, requestedBy }) => {
    const { sha256, kind, number } = fingerprint;
    if (known.has(sha256)) return;
    const link = { sha256, kind, number, business, ...(requestedBy !== undefined && { requested_by: requestedBy }) };
    await Promise.all([
      documents(documentStream(sha256), { ...fingerprint, business }, bySystem(business, documentId(sha256))),
      links(linkStream(sha256), { ...link, subjects }, bySystem(business, correlationId)),
    ]);
    known.set(sha256, true);
  };

  const recordFor = (
    fingerprint: Fingerprint,
    about: Omit<DocumentContext, 'at'>,
    { caller, cause }: IssueContext,
  ): Promise<void> =>
    record(fingerprint, about, {
      correlationId: cause.correlationId,
      requestedBy: isUser(caller) ? caller.userId : undefined,
    });

  const kept: Issue['kept'] = async (content, fingerprint, about, context) => {
    const { sha256 } = fingerprint;
    if (hash('sha256', content, 'hex') !== sha256) throw new ApiError('FILE_DAMAGED');
    await recordFor(fingerprint, about, context);
    return { bytes: content, sha256 } as Issued;
  };

  const issue = async <Content>(
    template: Template<Content>,
    content: Content,
    about: DocumentContext,
    context: IssueContext,
  ): Promise<Issued> => {
    const { content: bytes, fingerprint } = await draw(template, content, about);
    await recordFor(fingerprint, about, context);
    return { bytes, sha256: fingerprint.sha256 } as Issued;
  };
  return Object.assign(issue, { draw, record, kept });
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
