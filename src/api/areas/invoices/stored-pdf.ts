/**
 * The PDF of an invoice in the file store. It is stored before its event and marked as used after it: a process that ends
 * in between leaves a file that no caller can request, and that is removed after a day. A file that is missing is drawn
 * again from the event, with the same bytes.
 */
import { invoiceSubject, type InvoiceDocument, type InvoiceNumber } from '../../../events/invoices/events.js';
import { documentId } from '../../../events/documents/events.js';
import type { Files } from '../../../engines/files/files.js';
import type { OnePerBusiness } from '../../../engines/postgres/one-per-business.js';
import type { Invoice } from '../../../projections/invoices/queries.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import type { Drawn, Fingerprint, Issue, Issued } from '../../core/printing/issue.js';
import { findFileContent } from '../files/load-file.js';
import { printedInvoice, type Printable } from './content.js';
import { INVOICE_TEMPLATE } from './template.js';

export interface StoredPdfsOptions {
  readonly issue: Issue;
  readonly files: Pick<Files, 'put' | 'open' | 'find' | 'use' | 'remove'>;
  /** Missing files of one business are drawn one after the other: two writers of one file would mix their bytes. */
  readonly onePerBusiness: OnePerBusiness;
}

export type StoredPdfs = ReturnType<typeof createStoredPdfs>;

/** The service owns these files: no user may download them by their id. */
const OWNER = 0;

const aboutOf = (of: InvoiceNumber) => ({ business: of.business, subjects: [invoiceSubject(of)] });

/** The fingerprint of the PDF, from the event. */
const fingerprintOf = ({ sha256, bytes, pages, made_by, document_number }: InvoiceDocument): Fingerprint => ({
  sha256,
  kind: 'invoice',
  number: document_number,
  bytes,
  pages,
  made_by,
});

export function createStoredPdfs({ issue, files, onePerBusiness }: StoredPdfsOptions) {
  /** Undefined after the legal term. Throws NO_FONT. */
  async function draw(of: Printable, isPreview = false): Promise<Drawn | undefined> {
    const content = printedInvoice(of);
    return content && issue.draw(INVOICE_TEMPLATE, content, { ...aboutOf(of), at: of.issued_at, isPreview });
  }

  const put = (of: InvoiceNumber, { content, fingerprint }: Drawn): Promise<void> =>
    files.put({
      id: documentId(fingerprint.sha256),
      business: of.business,
      owner: OWNER,
      subject: invoiceSubject(of),
      purpose: 'issued',
      mediaType: 'application/pdf',
      content,
    });

  /** Draws a missing PDF again. Undefined after the legal term. Throws FILE_DAMAGED if it is not the issued one. */
  async function restored(of: Printable & Pick<Invoice, 'document'>): Promise<Buffer | undefined> {
    const drawn = await draw(of);
    if (!drawn) return undefined;
    if (drawn.fingerprint.sha256 !== of.document.sha256) throw new ApiError('FILE_DAMAGED');
    const { document_id } = of.document;
    await onePerBusiness(of.business, async () => {
      if ((await files.find(document_id)) === undefined) await put(of, drawn);
      await files.use(document_id, invoiceSubject(of));
    });
    return drawn.content;
  }

  return {
    /** Draws and stores the PDF of a document that is not issued yet. Throws NO_FONT. */
    async prepare(of: Printable, { store }: { readonly store: boolean }): Promise<InvoiceDocument> {
      const drawn = (await draw(of, !store))!;
      if (store) await put(of, drawn);
      const { sha256, bytes, pages, made_by, number: document_number } = drawn.fingerprint;
      return { document_id: documentId(sha256), sha256, bytes, pages, made_by, document_number };
    },

    /** Removes the PDF of a document that was not issued. */
    discard: ({ document_id }: InvoiceDocument): Promise<void> => files.remove(document_id),

    /** Keeps the PDF of an issued document, and records its fingerprint. Repeating it changes nothing. */
    async keep(
      of: Printable & Pick<Invoice, 'document'>,
      { correlationId, requestedBy }: { readonly correlationId: string; readonly requestedBy?: number },
    ): Promise<void> {
      const { document } = of;
      const isStored = (await files.find(document.document_id)) !== undefined;
      if (isStored) await files.use(document.document_id, invoiceSubject(of));
      else if ((await restored(of)) === undefined) return;
      await issue.record(fingerprintOf(document), aboutOf(of), { correlationId, requestedBy });
    },

    /** The issued bytes. Throws FILE_DAMAGED if the stored bytes differ, and FILE_NOT_FOUND after the legal term. */
    async open(of: Invoice, context: Pick<Context, 'caller' | 'cause'>): Promise<Issued> {
      const stored = () => findFileContent(files, of.document.document_id);
      // Another process may store a missing file at the moment: it is read again after that.
      const found = await stored().catch(() => onePerBusiness(of.business, stored));
      const content = found ?? (await restored(of));
      if (!content) throw new ApiError('FILE_NOT_FOUND');
      return issue.kept(content, fingerprintOf(of.document), aboutOf(of), context);
    },
  };
}
