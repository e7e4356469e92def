/**
 * Decides about the numbers of the invoices and credit notes of a business in one year. The PDF contains the number and
 * the event contains the hash of the PDF, so a command proposes the number. It is accepted only if the number is the
 * next number, and if the caller knew all documents of the customer: an order belongs to one customer, so no charge is
 * on two invoices and no credit note exceeds its invoice.
 */
import type { Fact } from '../../events/core/codec.js';
import { derivedId } from '../../events/otep/identity.js';
import {
  CreditNoteIssued,
  InvoiceIssued,
  invoiceSubject,
  InvoiceYearClosed,
  type IssuedCreditNote,
  type IssuedInvoice,
} from '../../events/invoices/events.js';
import type { Decider, Decision, PastEvent } from '../core/decider.js';

export type NewDocument =
  | { readonly kind: 'invoice'; readonly data: IssuedInvoice }
  | { readonly kind: 'credit_note'; readonly data: IssuedCreditNote };

export interface IssueInvoice {
  readonly do: 'issue';
  readonly commandId: string;
  readonly document: NewDocument;
  /** The last number of the customer in this year that the caller knew; 0: none. */
  readonly knownOfCustomer: number;
  /** The caller knew all documents of the previous year, which is closed. */
  readonly knowsPreviousYear: boolean;
}

export interface CloseYear {
  readonly do: 'close';
  readonly business: number;
  readonly year: number;
}

export type InvoiceCommand = IssueInvoice | CloseYear;

/**
 * `outdated`: the number is taken, or the customer has got other documents in the meantime. `year_closed`: the document
 * belongs to the next year. `previous_year_open`: the previous year must be closed first.
 */
export type InvoiceReply = 'issued' | 'outdated' | 'year_closed' | 'previous_year_open' | 'closed';

export interface InvoiceYear {
  last: number;
  closed: boolean;
  readonly lastOfCustomer: Map<number, number>;
  readonly done: Set<string>;
}

/** The event of a command. A retry has the same one. */
export const invoiceEventId = (business: number, commandId: string): string =>
  derivedId('invoice', business, commandId);

export const invoices: Decider<InvoiceYear, InvoiceCommand, InvoiceReply> = {
  initial: () => ({ last: 0, closed: false, lastOfCustomer: new Map(), done: new Set() }),

  decide(state, command) {
    if (command.do === 'close') return close(state, command);
    const { document, commandId, knownOfCustomer, knowsPreviousYear } = command;
    const { business, customer_id, series_number } = document.data;
    const id = invoiceEventId(business, commandId);
    if (state.done.has(id)) return replying('issued');
    if (state.closed) return replying('year_closed');
    if (!knowsPreviousYear) return replying(state.last === 0 ? 'previous_year_open' : 'outdated');
    const isKnown = (state.lastOfCustomer.get(customer_id) ?? 0) === knownOfCustomer;
    if (series_number !== state.last + 1 || !isKnown) return replying('outdated');
    const type = document.kind === 'invoice' ? InvoiceIssued : CreditNoteIssued;
    return replying('issued', {
      id,
      type: type as unknown as Fact['type'],
      data: document.data,
      subject: invoiceSubject(document.data),
    });
  },

  evolve(state, { type, id, data }: PastEvent) {
    if (type === InvoiceYearClosed.type) state.closed = true;
    if (type !== InvoiceIssued.type && type !== CreditNoteIssued.type) return state;
    state.last = data['series_number'] as number;
    state.lastOfCustomer.set(data['customer_id'] as number, state.last);
    state.done.add(id);
    return state;
  },
};

function close({ closed }: InvoiceYear, { business, year }: CloseYear): Decision<InvoiceReply> {
  if (closed) return replying('closed');
  return replying('closed', {
    id: derivedId('invoice year closed', business, year),
    type: InvoiceYearClosed as unknown as Fact['type'],
    data: { business, year },
  });
}

const replying = (reply: InvoiceReply, ...facts: readonly Fact[]): Decision<InvoiceReply> => ({ facts, reply });
