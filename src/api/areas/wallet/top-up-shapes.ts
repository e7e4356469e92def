/** Top-ups in responses. */
import { z } from 'zod';
import { MAX_REFUNDS } from '../../../commands/wallet/card-top-ups.js';
import { sum } from '../../../events/core/money.js';
import { CHECKOUTS, PROVIDERS } from '../../../events/wallet/card-payments.js';
import { TOP_UP_METHODS, topUpStream } from '../../../events/wallet/top-ups.js';
import type { TopUp } from '../../../projections/wallet/top-up-queries.js';
import { TOP_UP_STATUSES } from '../../../projections/wallet/top-ups.js';
import { versionBy, versionSchema } from '../../core/versions.js';
import { bankDetails } from '../businesses/billing-profile.js';

export const TOP_UP_VERSION = versionBy('top_up_id', topUpStream);

export const statusSchema = z
  .enum(TOP_UP_STATUSES)
  .describe(
    '`pending`: not paid yet. `processing`: paid by card, and the provider does not know the result yet. `succeeded`: the wallet has the money. `partly_refunded`, `refunded`: staff returned money to the card. `disputed`: the card holder disputes the payment. `failed`: the card payment failed, and the wallet received no money. `expired`: not paid within 14 days (card: 24 hours). A card payment that succeeds later is credited.',
  );
export const methodSchema = z
  .enum(TOP_UP_METHODS)
  .describe('`bank_transfer`: a transfer to the account of the business. `card`: a card payment at the provider.');
export const checkoutSchema = z
  .enum(CHECKOUTS)
  .describe(
    '`embedded`: your app shows the form of the provider, with `client_secret` and `publishable_key`. `hosted`: your app opens the page `checkout_url`.',
  );

const refundSchema = z
  .object({
    id: z.uuid().describe('Id of the refund, and of its entry in the wallet.'),
    amount: z.string(),
    status: z
      .enum(['pending', 'made', 'refused'])
      .describe(
        '`pending`: the wallet holds the amount. `made`: the provider has returned the amount to the card. `refused`: the amount has returned to the wallet.',
      ),
    code: z
      .string()
      .nullable()
      .describe('Reason why the refund was refused: the code of the payment provider or of the wallet.'),
  })
  .meta({ id: 'CardRefund' });

export const topUpSchema = z
  .object({
    id: z.int(),
    customer_id: z.int(),
    status: statusSchema,
    method: methodSchema,
    amount: z.string().describe('The amount that the customer announced.'),
    received_amount: z.string().nullable().describe('The amount that arrived. Null: nothing has arrived yet.'),
    currency: z.string(),
    reference: z
      .string()
      .describe('Payment reference of the transfer: 10 characters. The last one is a check character.'),
    order_id: z.int().nullable().describe('The order that the customer wants to pay.'),
    bank_reference: z.string().nullable().describe('Reference of the bank for the transfer. Null after an erasure.'),
    bank_details: bankDetails.optional().describe('Account for the transfer. Absent in lists.'),
    created_at: z.string(),
    expires_at: z.string().describe('Time at which the top-up expires if it is not paid before.'),
    confirmed_at: z.string().nullable().describe('Time at which staff or the payment provider confirmed the payment.'),
    provider: z.enum(PROVIDERS).nullable().describe('Payment provider of a card payment. `test`: no money moves.'),
    checkout: checkoutSchema.nullable(),
    provider_payment_id: z.string().nullable().describe('Id of the card payment at the provider.'),
    failure_code: z
      .string()
      .nullable()
      .describe('Reason why the card payment failed: the code of the payment provider.'),
    refunds: z
      .array(refundSchema)
      .max(MAX_REFUNDS)
      .describe('Parts of the payment that staff returned to the card, oldest first.'),
    disputed_amount: z
      .string()
      .nullable()
      .describe('The amount of open and lost disputes. Null: there are no disputes.'),
    client_secret: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Secret for the form of the payment provider in the app of the customer. Only the customer gets it, while the top-up is pending. Null if the provider does not respond. Absent in lists.',
      ),
    checkout_url: z
      .string()
      .nullable()
      .optional()
      .describe('The page on which the customer pays, with the same limits as `client_secret`. Absent in lists.'),
    publishable_key: z
      .string()
      .nullable()
      .optional()
      .describe('Key of the business for the form of the payment provider. Absent in lists.'),
    version: versionSchema,
  })
  .meta({ id: 'TopUp' });

export const toTopUp = (topUp: TopUp): z.infer<typeof topUpSchema> => ({
  id: topUp.id,
  customer_id: topUp.account_id,
  status: topUp.status,
  method: topUp.method,
  amount: topUp.amount,
  received_amount: topUp.received_amount,
  currency: topUp.currency,
  reference: topUp.reference,
  order_id: topUp.order_id,
  bank_reference: topUp.bank_reference ?? null,
  created_at: topUp.created_at,
  expires_at: topUp.expires_at,
  confirmed_at: topUp.confirmed_at,
  provider: topUp.provider,
  checkout: topUp.checkout,
  provider_payment_id: topUp.payment_id,
  failure_code: topUp.failure_code,
  refunds: topUp.refunds,
  disputed_amount: disputedAmount(topUp),
  version: topUp.revision,
});

function disputedAmount({ disputes, currency }: TopUp): string | null {
  const lost = disputes.filter(({ is_won }) => !is_won).map(({ amount }) => ({ amount, currency }));
  return lost.length === 0 ? null : sum({ amount: '0', currency }, ...lost).amount;
}

/** The part of a top-up that the balance of its customer lists. */
export const recentTopUpSchema = topUpSchema
  .pick({ id: true, amount: true, currency: true, method: true, status: true, created_at: true })
  .meta({ id: 'RecentTopUp' });
export const toRecentTopUp = ({
  id,
  amount,
  currency,
  method,
  status,
  created_at,
}: TopUp): z.infer<typeof recentTopUpSchema> => ({ id, amount, currency, method, status, created_at });
