/**
 * Follows the log, and keeps the PDFs of issued invoices and credit notes. The request that issues a document does this
 * directly, so the follower finds work only after a crash.
 */
import type { StoredPdfs } from '../../api/areas/invoices/stored-pdf.js';
import { ApiError } from '../../api/core/errors.js';
import type { Parts } from '../../api/core/parts.js';
import type { Engines } from '../../engines/open.js';
import { decoded, sealedOf, unseal, type EventTypes } from '../../events/core/codec.js';
import type { StoredEvent } from '../../events/core/log.js';
import {
  CreditNoteIssued,
  INVOICE_PREFIX,
  InvoiceIssued,
  type IssuedCreditNote,
  type IssuedInvoice,
} from '../../events/invoices/events.js';
import { startFollower, type Follower } from '../../projections/core/follower.js';

export const INVOICE_DOCUMENTS = { name: 'invoice_documents', version: 1, prefixes: [INVOICE_PREFIX] } as const;

export interface InvoiceDocumentsOptions extends Parts<'progress' | 'logger'> {
  readonly engines: Pick<Engines, 'log' | 'projectionPool' | 'holder' | 'keyRing'>;
  readonly types: EventTypes;
  readonly pdfs: Pick<StoredPdfs, 'keep'>;
}

export function startInvoiceDocuments({
  engines: { log, projectionPool: pool, holder: owner, keyRing },
  types,
  pdfs,
  progress,
  logger,
}: InvoiceDocumentsOptions): Follower {
  return startFollower({
    reader: INVOICE_DOCUMENTS,
    log,
    pool,
    owner,
    progress,
    background: true,
    onError: (error) => logger.error({ err: error }, 'PDFs of issued invoices are not kept yet, trying again'),
    async take({ events }) {
      for (const event of events)
        if (event.type === InvoiceIssued.type || event.type === CreditNoteIssued.type) await keep(event);
    },
  });

  /** A PDF that cannot be kept must not delay the PDFs of other invoices. */
  async function keep(stored: StoredEvent): Promise<void> {
    const event = decoded(stored, types);
    const subject = sealedOf(event.data)?.subject;
    const keys = await keyRing.existing(subject === undefined ? [] : [subject]);
    const data = unseal(event.data, event.id, keys) as unknown as IssuedInvoice | IssuedCreditNote;
    const kind = event.type === InvoiceIssued.type ? 'invoice' : 'credit_note';
    const correlationId = String(event.metadata['$correlationId']);
    try {
      await pdfs.keep({ ...data, kind }, { correlationId, requestedBy: data.issued_by });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      logger.error(
        { stream: event.stream, invoice: data.invoice_id, code: error.code },
        'the PDF of an invoice is lost',
      );
    }
  }
}
