/** Top-ups in responses. */
import { z } from 'zod';
import { TOP_UP_METHODS, topUpStream } from '../../../events/wallet/top-ups.js';
import type { TopUp } from '../../../projections/wallet/top-up-queries.js';
import { TOP_UP_STATUSES } from '../../../projections/wallet/top-ups.js';
import { versionBy, versionSchema } from '../../core/versions.js';
import { bankDetails } from '../businesses/billing-profile.js';

export const TOP_UP_VERSION = versionBy('top_up_id', topUpStream);

export const statusSchema = z
  .enum(TOP_UP_STATUSES)
  .describe(
    '`pending`: the transfer is not confirmed yet. `succeeded`: staff confirmed it, and the wallet has the money. `expired`: it was not confirmed within 14 days.',
  );
const methodSchema = z.enum(TOP_UP_METHODS).describe('`bank_transfer`: a transfer to the account of the business.');

export const topUpSchema = z
  .object({
    id: z.int(),
    customer_id: z.int(),
    status: statusSchema,
    method: methodSchema,
    amount: z.string().describe('The amount that the customer announced.'),
    received_amount: z.string().nullable().describe('The amount that arrived. Null: the transfer is not confirmed.'),
    currency: z.string(),
    reference: z
      .string()
      .describe('Payment reference of the transfer: 10 characters. The last one is a check character.'),
    order_id: z.int().nullable().describe('The order that the customer wants to pay.'),
    bank_reference: z.string().nullable().describe('Reference of the bank for the transfer. Null after an erasure.'),
    bank_details: bankDetails.optional().describe('Account for the transfer. Absent in lists.'),
    created_at: z.string(),
    expires_at: z.string().describe('The top-up expires if the transfer is not confirmed before.'),
    confirmed_at: z.string().nullable(),
    version: versionSchema,
  })
  .meta({ id: 'TopUp' });

export const toTopUp = ({
  id,
  account_id,
  status,
  method,
  amount,
  received_amount,
  currency,
  reference,
  order_id,
  bank_reference,
  created_at,
  expires_at,
  confirmed_at,
  revision,
}: TopUp): z.infer<typeof topUpSchema> => ({
  id,
  customer_id: account_id,
  status,
  method,
  amount,
  received_amount,
  currency,
  reference,
  order_id,
  bank_reference: bank_reference ?? null,
  created_at,
  expires_at,
  confirmed_at,
  version: revision,
});

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
