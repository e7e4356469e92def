/** The numbers of invoices and credit notes of a business in one year. */
import { expect } from 'chai';
import { invoices, type InvoiceCommand, type IssueInvoice } from '../../../src/commands/invoices/decider.js';
import type { IssuedCreditNote, IssuedInvoice } from '../../../src/events/invoices/events.js';
import { given } from '../../support/checks/given.js';

let commands = 0;
const data = (number: number, customer: number) => ({
  invoice_id: 100 + number,
  business: 1,
  year: 2026,
  series_number: number,
  customer_id: customer,
});

function issue(
  number: number,
  { customer = 6, known = 0, knowsPreviousYear = true, commandId = `command ${(commands += 1)}` } = {},
): IssueInvoice {
  const document = { kind: 'invoice' as const, data: data(number, customer) as IssuedInvoice };
  return { do: 'issue', commandId, document, knownOfCustomer: known, knowsPreviousYear };
}
const creditNote = (number: number, known: number): IssueInvoice => ({
  ...issue(number, { known }),
  document: { kind: 'credit_note', data: { ...data(number, 6), of: 101 } as IssuedCreditNote },
});
const CLOSE: InvoiceCommand = { do: 'close', business: 1, year: 2026 };
const past = (...before: readonly InvoiceCommand[]) => given(invoices, ...before);

describe('decider of invoices', () => {
  it('numbers invoices and credit notes 1, 2, 3 in one series', () => {
    const { facts, reply } = past(issue(1)).when(issue(2, { customer: 7 }));
    expect([reply, facts.length, facts[0]!.type]).to.deep.equal(['issued', 1, 'InvoiceIssued']);
    expect(past(issue(1), issue(2, { customer: 7 })).when(creditNote(3, 1)).types).to.deep.equal(['CreditNoteIssued']);
  });

  it('rejects a number that is taken, and one that would leave a gap', () => {
    for (const number of [1, 3])
      expect(past(issue(1)).when(issue(number, { customer: 7 }))).to.deep.include({ reply: 'outdated', facts: [] });
  });

  it('rejects a document of a customer who has another one that the caller does not know', () => {
    expect(past(issue(1)).when(issue(2)).reply).to.equal('outdated');
    expect(past(issue(1)).when(issue(2, { known: 1 })).reply).to.equal('issued');
    expect(past(issue(1), creditNote(2, 1)).when(creditNote(3, 1)).reply).to.equal('outdated');
  });

  it('issues a document once, even if its command is repeated', () => {
    const first = issue(1, { commandId: 'same' });
    expect(past(first).when({ ...issue(2, { known: 1 }), commandId: 'same' })).to.deep.include({
      reply: 'issued',
      facts: [],
    });
  });

  it('begins a year only when the previous one is closed', () => {
    expect(past().when(issue(1, { knowsPreviousYear: false })).reply).to.equal('previous_year_open');
    expect(past(issue(1)).when(issue(2, { knowsPreviousYear: false, known: 1 })).reply).to.equal('outdated');
  });

  it('issues nothing in a closed year, except repeated commands', () => {
    const first = issue(1, { commandId: 'before' });
    const closed = past(first).when(CLOSE);
    expect(closed.types).to.deep.equal(['InvoiceYearClosed']);
    expect(closed.then.when(issue(2, { known: 1 })).reply).to.equal('year_closed');
    expect(closed.then.when(first).reply).to.equal('issued');
    expect(closed.then.when(CLOSE).facts).to.deep.equal([]);
  });
});
