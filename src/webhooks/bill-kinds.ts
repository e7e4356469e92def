/** Webhooks about bills of orders. Prices are never hidden here, because webhooks go to the business. */
import { z } from 'zod';
import { ChargesSet, PaymentFailed, PaymentReceived, RefundMade } from '../events/bill/events.js';
import { ORDER_PREFIX, orderIdOf } from '../events/orders/events.js';
import { byChange, given, oneOf, type Changes, type Kind } from './kind.js';
import { ORDER_EXAMPLE } from './order-kinds.js';

const CHANGES: Changes = {
  [ChargesSet.type]: 'charges_set',
  [PaymentReceived.type]: 'payment_received',
  [PaymentFailed.type]: 'payment_failed',
  [RefundMade.type]: 'refund_made',
};

export const BILL_KINDS = {
  bill_changed: {
    type: 'bill.changed',
    since: '0.1.0',
    prefix: ORDER_PREFIX,
    on: Object.keys(CHANGES),
    objectId: 'order_id',
    status: byChange,
    shape: z.object({
      order_id: z.int(),
      change: oneOf(CHANGES),
      bill_version: z.int().optional(),
      total: z.string().optional(),
      currency: z.string().optional(),
      payment_id: z.string().optional(),
      refund_id: z.string().optional(),
      amount: z.string().optional(),
      method: z.string().optional(),
      code: z.string().optional(),
    }),
    data: ({ event, data }) => ({
      order_id: orderIdOf(event.stream),
      change: CHANGES[event.type]!,
      ...given(data, 'bill_version', 'total', 'currency', 'payment_id', 'refund_id', 'amount', 'method', 'code'),
    }),
    example: {
      ...ORDER_EXAMPLE,
      trigger: [
        'PaymentReceived',
        { payment_id: '00000000-0000-4000-8000-000000000000', amount: '12.50', currency: 'EUR', method: 'wallet' },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;
