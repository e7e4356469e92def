/** Examples for invoices. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const INVOICE_EXAMPLES: Examples = {
  invoiceIssue: {
    body: {
      customer_id: 6,
      currency: 'EUR',
      date_from: '2026-01-01',
      date_to: '2099-12-31',
      buyer: { company: 'Lovelace Ltd', street: '12 Analytical Road', city: 'London', country: 'GB' },
    },
  },
  creditNoteIssue: {
    path: { invoice_id: 1 },
    body: { lines: [{ line: 1, net: '1.00' }], reason: 'The parcel was late' },
  },
};
