/** The printable label of a local order. */
import { z } from 'zod';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { orderId } from './input.js';
import { labelPdf } from './label.js';
import { OFFICE_ROLES, seenOrder } from './viewer.js';
import { operation, type Operation } from '../../core/operation.js';

export const orderLabel = ({ queries }: { readonly queries: OrderQueries }): Operation =>
  operation({
    name: 'orderLabel',
    tag: 'Orders',
    summary: 'A printable label, 4 by 6 inches, one page for each package.',
    rest: { method: 'get', path: '/v1/orders/:order_id/label' },
    callers: [...OFFICE_ROLES.filter((role) => role !== 'auditor'), 'customer'],
    scopes: ['orders:read'],
    reads: ['orders'],
    input: z.object({
      order_id: orderId,
      format: z.enum(['base64', 'pdf']).default('base64').describe('`pdf`: the document itself.'),
    }),
    output: z.object({
      result: z.boolean(),
      order_id: z.int(),
      label_code: z.string(),
      tracking_numbers: z.array(z.string()),
      media_type: z.literal('application/pdf'),
      pdf_base64: z.string(),
    }),
    answers: { 404: 'No such order.' },
    async run({ order_id, format }, { caller }) {
      const order = await seenOrder(queries, caller, { order_id });
      const body = await labelPdf(order);
      if (format === 'pdf')
        return {
          body,
          mediaType: 'application/pdf',
          headers: {
            'Cache-Control': 'private, no-store',
            'Content-Disposition': `inline; filename="order-${order_id}.pdf"`,
          },
        };
      const tracking_numbers = order.packages.map(({ tracking_number }) => tracking_number);
      return {
        result: true,
        order_id,
        label_code: tracking_numbers[0]!,
        tracking_numbers,
        media_type: 'application/pdf' as const,
        pdf_base64: body.toString('base64'),
      };
    },
  });
