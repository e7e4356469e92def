/** Bills of orders in responses. */
import { z } from 'zod';
import { PAYMENT_FAILURES, PAYMENT_METHODS, REFUND_TARGETS, SETTLEMENTS } from '../../../events/bill/events.js';
import { paidAmount, remainingAmount, type Payment, type Refund } from '../../../events/bill/state.js';
import type { Language } from '../../../events/core/languages.js';
import { FAMILIES, type Family } from '../../../events/pricing/families.js';
import type { OpenBill, OpenDetails } from '../../../projections/bills/queries.js';
import { price, priced } from '../../core/prices.js';
import { settingsVersionSchema } from '../../core/versions.js';
import { billLine, toBillLine } from './lines.js';
import { paymentStatusSchema } from './payment-status.js';

const amount = z.string();
const time = z.iso.datetime();

const paymentOutput = z
  .object({
    id: z.uuid().describe('The same in the order that replaces a rerouted one.'),
    amount,
    method: z.enum(PAYMENT_METHODS),
    status: z
      .enum(['begun', 'received', 'failed'])
      .describe(
        '`begun`: the service is executing the payment. This takes less than a second, or until the next restart of the service.',
      ),
    failure: z.enum(PAYMENT_FAILURES).nullable().describe('Code of the reason why the wallet refused the payment.'),
    refunded_amount: amount,
    reference: z.string().nullable(),
    received_at: z.string().nullable().describe('Method of a payment outside of the service.'),
    recorded_by: z.int().nullable().describe('Id of the user that made or recorded the payment.'),
    created_at: time,
  })
  .meta({ id: 'BillPayment' });

const refundOutput = z
  .object({
    id: z.uuid(),
    payment_id: z.uuid(),
    amount,
    to: z
      .enum(REFUND_TARGETS)
      .describe(
        '`outside`: the business returns the money outside of the service. `replacement`: the order was rerouted, and the order that replaces it has the payment now.',
      ),
    status: z.enum(['begun', 'made']),
    why: z.enum(['requested', 'repriced', 'cancelled']).nullable(),
    reason: z.string().nullable(),
    created_at: time,
  })
  .meta({ id: 'BillRefund' });

export const billOutput = priced(
  {
    order_id: z.int(),
    family: z.enum(FAMILIES),
    customer_id: z.int().nullable(),
    payment_status: paymentStatusSchema,
    settlement: z
      .enum(SETTLEMENTS)
      .describe('`offline`: the customer cannot pay in the service, because prices of the kind were hidden.'),
    rate_id: z.string().nullable().describe('Quote at which the order was placed.'),
    currency: price(z.string().nullable().describe('Null: the order has no price.')),
    total_price: price(amount.nullable().describe('With taxes.')),
    paid_amount: price(amount.nullable().describe('Sum of the received payments minus refunds.')),
    remaining_amount: price(amount.nullable().describe('Amount that the customer still has to pay; at least zero.')),
    surcharge_amount: price(amount.nullable()),
    tax_amount: price(amount.nullable()),
    price_details: price(z.array(billLine)),
    payments: price(z.array(paymentOutput).describe('Oldest first.')),
    refunds: price(z.array(refundOutput).describe('Oldest first.')),
    is_invoiced: z.boolean().describe('True if an invoice contains the charges.'),
    invoice_id: price(
      z.int().nullable().describe('The invoice that contains the charges. Null: no invoice contains them.'),
    ),
    version: settingsVersionSchema.describe(
      'Version for `If-Match` and `if_version`. Each change of the charges increases it. -1: the order has no price.',
    ),
  },
  ({ family }) => family as Family,
).meta({ id: 'Bill' });
export type BillOutput = z.infer<typeof billOutput>;

/** The bill of an order without a price. */
export const unpricedBill = (order: { id: number; customer_id: number | null }, family: Family): BillOutput => ({
  order_id: order.id,
  family,
  customer_id: order.customer_id,
  payment_status: 'unpriced',
  settlement: 'online',
  rate_id: null,
  currency: null,
  total_price: null,
  paid_amount: null,
  remaining_amount: null,
  surcharge_amount: null,
  tax_amount: null,
  price_details: [],
  payments: [],
  refunds: [],
  is_invoiced: false,
  invoice_id: null,
  version: -1,
});

export function toBill({ bill, charges, details, ...row }: OpenBill, language: Language): BillOutput {
  return {
    order_id: row.id,
    family: row.family,
    customer_id: row.customer_id,
    payment_status: row.payment_status,
    settlement: bill.settlement,
    rate_id: row.rate_id,
    currency: bill.currency,
    total_price: bill.total,
    paid_amount: paidAmount(bill),
    remaining_amount: remainingAmount(bill),
    surcharge_amount: charges.surcharge_amount,
    tax_amount: charges.tax_amount,
    price_details: charges.lines.map((line) => toBillLine(line, charges.line_names, language)),
    payments: bill.payments.map((payment) => toPayment(payment, details.get(payment.id))),
    refunds: bill.refunds.map((refund) => toRefund(refund, details.get(refund.id))),
    is_invoiced: row.invoice_id !== null,
    invoice_id: row.invoice_id,
    version: row.charges_revision,
  };
}

const toPayment = (payment: Payment, details: OpenDetails | undefined): z.infer<typeof paymentOutput> => ({
  id: payment.id,
  amount: payment.amount,
  method: payment.method,
  status: payment.status,
  failure: payment.failure ?? null,
  refunded_amount: payment.refunded,
  reference: details?.reference ?? null,
  received_at: details?.received_at ?? null,
  recorded_by: details?.by ?? null,
  created_at: details?.created_at ?? '',
});

const toRefund = ({ id, payment_id, amount, to, status }: Refund, details: OpenDetails | undefined) => ({
  id,
  payment_id,
  amount,
  to,
  status,
  why: (details?.why ?? null) as 'requested' | 'repriced' | 'cancelled' | null,
  reason: details?.reason ?? null,
  created_at: details?.created_at ?? '',
});
