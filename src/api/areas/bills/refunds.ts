/** Refunds of payments by the office. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { REQUESTED_REFUND_TARGETS } from '../../../events/bill/events.js';
import { amountSchema } from '../../../events/core/money.js';
import { orderStream } from '../../../events/orders/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { businessOf, userOf } from '../../core/callers.js';
import { idSchema } from '../../core/ids.js';
import { tooPreciseAt } from '../../core/money.js';
import { operation, type Operation } from '../../core/operation.js';
import { BILL_WRITE, mustBePositive } from './writing.js';

export const refundOperation = ({ orders }: Pick<Commands, 'orders'>): Operation =>
  operation({
    ...BILL_WRITE,
    name: 'billRefund',
    summary: 'Refund a payment of an order',
    description:
      'Refunds a payment into the wallet of the customer, or records a refund outside of the service. The charges stay the same, so the refunded amount is due again. To lower the charges, use `orderChargesSet`, which refunds the difference.',
    rest: { method: 'post', path: '/v1/orders/:order_id/refunds', status: 201 },
    callers: ['client_admin'],
    scopes: ['billing:write'],
    answers: {
      404: 'There is no such order or payment.',
      409: '`NO_WALLET_IN_CURRENCY`: the order belongs to no customer, so only `to: outside` is possible. `TOO_MANY_REFUNDS`: the order has too many refunds.',
      422: '`AMOUNT_TOO_HIGH`: the amount is greater than the part of the payment that is not refunded yet.',
    },
    input: z.object({
      order_id: idSchema,
      payment_id: z.uuid(),
      amount: amountSchema.optional().describe('Default: everything that is not refunded yet.'),
      to: z
        .enum(REQUESTED_REFUND_TARGETS)
        .default('wallet')
        .describe('`outside`: the business returns the money outside of the service.'),
      reason: z.string().trim().min(3).max(255),
    }),
    output: z.object({ result: z.boolean(), refund_id: z.uuid() }),
    async run({ order_id: orderId, payment_id: paymentId, amount, to, reason }, { caller, cause, commandId, wrote }) {
      if (amount !== undefined) mustBePositive(amount);
      const refundId = derivedId('refund', orderId, commandId);
      const common = { commandId, orderId, business: businessOf(caller), by: userOf(caller).userId };
      const command = { do: 'begin_refund' as const, ...common, refundId, paymentId, amount, to, reason };
      const { position } = await orders(orderStream(orderId), command, cause).catch((error: unknown) => {
        throw tooPreciseAt('/amount')(error);
      });
      wrote(position);
      return { result: true, refund_id: refundId };
    },
  });
