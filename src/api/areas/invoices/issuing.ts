/**
 * Issues numbered documents. The steps, and what remains if the process ends after each of them:
 *
 * 1. The PDF is drawn with the next number, and stored: an unused file, which is removed after a day.
 * 2. The event is appended if the number is still the next number: the document exists, with its PDF.
 * 3. The file is marked as used and its fingerprint is recorded: a follower of the log repeats this step.
 */
import {
  invoiceEventId,
  type InvoiceCommand,
  type InvoiceReply,
  type NewDocument,
} from '../../../commands/invoices/decider.js';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import { TurnRefused, type FairTurns } from '../../../engines/fair-turns.js';
import { TurnTooLate, type OnePerBusiness } from '../../../engines/postgres/one-per-business.js';
import { addDays, localDate } from '../../../events/core/local-time.js';
import { invoiceStream } from '../../../events/invoices/events.js';
import type { InvoiceQueries } from '../../../projections/invoices/queries.js';
import { INVOICE_IDS } from '../../../projections/invoices/read-model.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import type { Draft } from './drafts.js';
import type { StoredPdfs } from './stored-pdf.js';

/** A document that is outdated this often indicates a defect, not a race. */
const MAX_ATTEMPTS = 20;

export interface IssuingOptions {
  readonly handle: Handle<InvoiceCommand, InvoiceReply>;
  readonly queries: InvoiceQueries;
  readonly pdfs: StoredPdfs;
  /** Waits until the read models contain all events of the log. */
  readonly waitUntilCurrent: () => Promise<boolean>;
  /** Documents of one business are issued one after the other, in all processes. */
  readonly onePerBusiness: OnePerBusiness;
  /** Limits how many documents this process draws at the same time. */
  readonly turns: FairTurns;
}

/**
 * Issues a document for a customer and returns its id. `prepare` is called again if other documents were issued
 * in the meantime. Throws UNAVAILABLE, and the errors of `prepare`.
 */
export type IssueDocument = (customerId: number, prepare: () => Promise<Draft>, context: Context) => Promise<number>;

export function createIssueDocument(options: IssuingOptions): IssueDocument {
  const { handle, queries, pdfs, waitUntilCurrent, onePerBusiness, turns } = options;

  async function attempts(customerId: number, prepare: () => Promise<Draft>, context: Context): Promise<number> {
    const { caller, commandId, time, cause } = context;
    const { timezone, userId } = userOf(caller);
    const business = businessOf(caller);
    let year = Number(localDate(time, timezone).slice(0, 4));
    let isPreviousClosed = false;
    let id: number | undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (!(await waitUntilCurrent())) throw unavailable();
      const done = await queries.idOf(invoiceEventId(business, commandId));
      if (done !== undefined) return done;
      // The numbers are read before the charges: a document that is issued in between is then recognized.
      const known = await queries.known(business, year, customerId);
      const draft = await prepare();
      // Only requests that have something to issue use an id.
      id ??= (await context.reserveIds(INVOICE_IDS, 1))[0]!;
      const numbering = { id, business, year, number: known.last + 1, time, timezone, by: userId };
      const document = await withPdf(numbered(draft, numbering), cause);
      const command = {
        do: 'issue' as const,
        commandId,
        document,
        knownOfCustomer: known.lastOfCustomer,
        knowsPreviousYear: isPreviousClosed || known.last > 0,
      };
      const { reply, position } = await handle(invoiceStream(business, year), command, cause);
      if (reply === 'issued') {
        context.wrote(position);
        if (!cause.dryRun) await keep(document, context);
        return document.data.invoice_id;
      }
      if (!cause.dryRun) await pdfs.discard(document.data.document);
      if (reply === 'year_closed') [year, isPreviousClosed] = [year + 1, true];
      if (reply === 'previous_year_open') {
        await handle(invoiceStream(business, year - 1), { do: 'close', business, year: year - 1 }, cause);
        isPreviousClosed = true;
      }
    }
    throw unavailable();
  }

  async function withPdf(document: Numbered, { dryRun }: Cause): Promise<NewDocument> {
    const pdf = await pdfs.prepare({ ...document.data, kind: document.kind }, { store: !dryRun });
    return { ...document, data: { ...document.data, document: pdf } } as NewDocument;
  }

  /** The follower repeats this if it fails. */
  const keep = ({ kind, data }: NewDocument, { caller, cause }: Context): Promise<void> =>
    pdfs
      .keep({ ...data, kind }, { correlationId: cause.correlationId, requestedBy: userOf(caller).userId })
      .catch(() => undefined);

  return async (customerId, prepare, context) => {
    const business = businessOf(context.caller);
    try {
      return await turns(String(business), () =>
        onePerBusiness(business, () => attempts(customerId, prepare, context)),
      );
    } catch (error) {
      throw error instanceof TurnRefused || error instanceof TurnTooLate ? unavailable(error) : error;
    }
  };
}

interface Numbering {
  readonly id: number;
  readonly business: number;
  readonly year: number;
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly timezone: string;
  readonly by: number;
}

type Numbered = NewDocument extends infer D
  ? D extends NewDocument
    ? { readonly kind: D['kind']; readonly data: Omit<D['data'], 'document'> }
    : never
  : never;

function numbered(draft: Draft, { id, business, year, number, time, timezone, by }: Numbering): Numbered {
  const today = localDate(time, timezone);
  // The clock of another process may already have closed the year of this one.
  const issued_on = today.startsWith(`${year}-`) ? today : `${year}-01-01`;
  const assigned = {
    invoice_id: id,
    business,
    year,
    series_number: number,
    issued_at: new Date(time).toISOString(),
    issued_on,
    issued_by: by,
  };
  return draft.kind === 'invoice'
    ? { kind: draft.kind, data: { ...draft.data, ...assigned, due_date: addDays(issued_on, draft.dueDays) } }
    : { kind: draft.kind, data: { ...draft.data, ...assigned } };
}

const unavailable = (cause?: unknown): ApiError =>
  new ApiError('UNAVAILABLE', { headers: { 'Retry-After': '5' }, isByDesign: true, cause });
