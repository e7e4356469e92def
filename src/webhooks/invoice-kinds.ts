/** Webhooks about invoices and credit notes. */
import { z } from 'zod';
import { CreditNoteIssued, INVOICE_PREFIX, InvoiceIssued, printedNumber } from '../events/invoices/events.js';
import { given, type Kind } from './kind.js';

const kindOf = (type: string) => (type === InvoiceIssued.type ? ('invoice' as const) : ('credit_note' as const));

export const INVOICE_KINDS = {
  invoice_issued: {
    type: 'invoice.issued',
    since: '0.1.0',
    prefix: INVOICE_PREFIX,
    on: [InvoiceIssued.type, CreditNoteIssued.type],
    objectId: 'invoice_id',
    shape: z.object({
      invoice_id: z.int(),
      kind: z.enum(['invoice', 'credit_note']),
      number: z.string(),
      series_number: z.int(),
      customer_id: z.int(),
      currency: z.string(),
      gross: z.string(),
      due_date: z.string().optional(),
      document_id: z.string(),
      of: z.int().optional(),
    }),
    data: ({ event, data }) => ({
      kind: kindOf(event.type),
      number: printedNumber(data as unknown as Parameters<typeof printedNumber>[0]),
      document_id: (data['document'] as { readonly document_id: string }).document_id,
      ...given(data, 'invoice_id', 'series_number', 'customer_id', 'currency', 'gross', 'due_date', 'of'),
    }),
    example: {
      stream: `${INVOICE_PREFIX}1-2026`,
      first: [
        InvoiceIssued.type,
        {
          invoice_id: 1,
          business: 1,
          year: 2026,
          series_number: 1,
          customer_id: 6,
          currency: 'EUR',
          gross: '14.88',
          due_date: '2026-12-13',
          document: { document_id: '00000000-0000-5000-8000-000000000000' },
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;
