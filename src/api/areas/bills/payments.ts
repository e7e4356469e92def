/** Payments of orders: from the wallet of the customer, and outside of the service. */
import { z } from 'zod';
import { dryRunOf } from '../../../commands/core/handle.js';
import type { Commands } from '../../../commands/commands.js';
import { ORDER_FAMILY } from '../../../commands/orders/billing.js';
import { OUTSIDE_METHODS } from '../../../events/bill/events.js';
import { openPayment } from '../../../events/bill/state.js';
import { amountSchema } from '../../../events/core/money.js';
import { orderStream } from '../../../events/orders/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { idSchema } from '../../core/ids.js';
import { tooPreciseAt } from '../../core/money.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { visibleOrder } from '../orders/viewer.js';
import { refusedPayment } from './refused-payment.js';
import { BILL_WRITE, mustBePositive } from './writing.js';

const NOT_PAYABLE =
  '`NOT_PRICED`: the order has no price. `NOTHING_DUE`: everything is paid. `PAYMENT_IN_PROGRESS`: another payment of the order is not finished.';

export interface PaymentsOptions extends Pick<Commands, 'orders' | 'settle'> {
  readonly queries: OrderQueries;
}

/** The id of a payment: the same for a retry. */
const paymentIdOf = (orderId: number, { commandId }: Pick<Context, 'commandId'>): string =>
  derivedId('payment', orderId, commandId);

export const paymentOperations = ({ orders, settle, queries }: PaymentsOptions): Operation[] => [
  operation({
    ...BILL_WRITE,
    name: 'orderPay',
    summary: 'Pay an order from the wallet',
    description:
      'Pays the whole remaining amount from the wallet of the calling customer. If `expected_amount` is set and differs from the remaining amount, nothing is paid.',
    rest: { method: 'post', path: '/v1/orders/:order_id/pay' },
    callers: ['customer'],
    scopes: ['orders:write'],
    pays: ORDER_FAMILY,
    answers: {
      402: '`INSUFFICIENT_FUNDS`: the wallet does not have the amount.',
      403: '`PRICE_HIDDEN_SETTLE_OFFLINE`: the business hides prices of the kind. The customer pays outside of the service.',
      404: 'There is no such order.',
      409: `${NOT_PAYABLE} \`PRICE_CHANGED\`: the remaining amount differs from \`expected_amount\`. \`WALLET_FROZEN\`, \`NO_WALLET_IN_CURRENCY\`: the wallet cannot pay.`,
    },
    input: z.object({
      order_id: idSchema,
      expected_amount: amountSchema
        .optional()
        .describe('The remaining amount that the customer has seen. Default: no check.'),
    }),
    output: z.object({ result: z.boolean(), payment_id: z.uuid() }),
    async run({ order_id: orderId, expected_amount: expectedAmount }, context) {
      const { caller, cause, commandId, wrote } = context;
      await visibleOrder(queries, caller, { order_id: orderId });
      const { userId } = userOf(caller);
      const order = { orderId, business: businessOf(caller), family: ORDER_FAMILY };
      const paymentId = paymentIdOf(orderId, context);
      const payment = { do: 'begin_payment' as const, paymentId, accountId: userId, expectedAmount };
      const command = { ...payment, commandId, orderId, business: order.business, by: userId };
      const begin = (of: typeof cause, billVersion?: number) =>
        orders(orderStream(orderId), { ...command, ...(billVersion !== undefined && { billVersion }) }, of);
      const toSettle = (id: string, { amount, currency }: { amount: string; currency: string }) => ({
        payment_id: id,
        amount,
        currency,
        account_id: userId,
      });

      // A payment that the wallet would refuse now leaves no trace in the order.
      const { bill: planned } = (await begin(cause.dryRun ? cause : dryRunOf(cause))).reply;
      const open = openPayment(planned);
      if (open) {
        const { currency } = planned;
        const refusal = await settle.refusalOf(order, toSettle(open.id, { ...open, currency }), cause);
        if (refusal) throw refusedPayment(refusal, currency);
      }
      if (cause.dryRun) return { result: true, payment_id: paymentId };

      // Charges that change in between may have another currency, in which the customer has no wallet.
      const begun = await begin(cause, planned.version);
      wrote(begun.position);
      const { currency, payments } = begun.reply.bill;
      const { amount } = payments.find(({ id }) => id === paymentId)!;
      const { position, refusal } = await settle.payment(order, toSettle(paymentId, { amount, currency }), cause);
      wrote(position);
      if (refusal) throw refusedPayment(refusal, currency);
      return { result: true, payment_id: paymentId };
    },
  }),
  operation({
    ...BILL_WRITE,
    name: 'billPaymentRecord',
    summary: 'Record a payment outside of the service',
    description:
      'Use it for example for cash, or for a bank transfer for this order. The wallet of the customer does not change.',
    rest: { method: 'post', path: '/v1/orders/:order_id/payments', status: 201 },
    callers: ['client_admin', 'employee'],
    scopes: ['billing:write'],
    answers: {
      404: 'There is no such order.',
      409: NOT_PAYABLE,
      422: '`AMOUNT_TOO_HIGH`: the amount is greater than the remaining amount.',
    },
    input: z.object({
      order_id: idSchema,
      amount: amountSchema.describe('Greater than zero, in the currency of the bill.'),
      method: z.enum(OUTSIDE_METHODS),
      reference: z
        .string()
        .trim()
        .min(1)
        .max(100)
        .optional()
        .describe('Reference of the payment, for example the number of a receipt.'),
      received_at: z.iso.datetime({ offset: true }).optional().describe('Default: now.'),
    }),
    output: z.object({ result: z.boolean(), payment_id: z.uuid() }),
    async run({ order_id: orderId, amount, method, reference, received_at }, context) {
      const { caller, cause, commandId, time, wrote } = context;
      mustBePositive(amount);
      const paymentId = paymentIdOf(orderId, context);
      const command = {
        do: 'record_payment' as const,
        commandId,
        orderId,
        business: businessOf(caller),
        by: userOf(caller).userId,
        paymentId,
        amount,
        method,
        reference,
        receivedAt: received_at ?? new Date(time).toISOString(),
      };
      const { position } = await orders(orderStream(orderId), command, cause).catch((error: unknown) => {
        throw tooPreciseAt('/amount')(error);
      });
      wrote(position);
      return { result: true, payment_id: paymentId };
    },
  }),
];
