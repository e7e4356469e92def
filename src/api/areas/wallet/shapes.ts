/** Wallets and their entries in responses. */
import { z } from 'zod';
import { rounded } from '../../../events/core/money.js';
import { FAMILIES, type Family } from '../../../events/pricing/families.js';
import { ENTRY_KINDS } from '../../../projections/wallet/entries.js';
import type { Wallet, WalletEntry } from '../../../projections/wallet/queries.js';
import { price, priced } from '../../core/prices.js';
import { settingsVersionSchema } from '../../core/versions.js';

const amounts = {
  currency: z.string(),
  balance: z.string().describe('Sum of payments in, minus payments out. The balance includes held amounts.'),
  available: z.string().describe('Amount that can be spent: `balance` plus credit limit minus `held`.'),
  held: z.string().describe('Amount that is reserved for payments. Expired reservations are not included.'),
};

/** The amounts of a wallet, as its owner sees them. */
export const walletAmountsSchema = z.object(amounts).meta({ id: 'WalletAmounts' });
export const walletAmountsOf = ({ currency, balance, available, held }: Wallet) => ({
  currency,
  balance,
  available,
  held,
});

const terms = {
  credit_limit: z.string().describe('The amount by which the balance may be below zero.'),
  is_frozen: z.boolean().describe('True: the wallet accepts incoming money, refunds and corrections only.'),
  version: settingsVersionSchema.describe(
    'Version for `If-Match` and `if_version`. Each change of `credit_limit` or `is_frozen` increases it. -1: they were never changed.',
  ),
};

export const walletSchema = z.object({ ...amounts, ...terms }).meta({ id: 'Wallet' });
export const toWallet = ({ frozen, ...wallet }: Wallet): z.infer<typeof walletSchema> => ({
  ...wallet,
  is_frozen: frozen,
});

export const termsSchema = z.object({ currency: z.string(), ...terms }).meta({ id: 'WalletTerms' });
/** `wallet`: undefined if it does not exist. */
export const toTerms = (currency: string, wallet: Wallet | undefined): z.infer<typeof termsSchema> => ({
  currency,
  credit_limit: wallet?.credit_limit ?? rounded('0', currency),
  is_frozen: wallet?.frozen ?? false,
  version: wallet?.version ?? -1,
});

export const entrySchema = priced(
  {
    id: z.uuid(),
    created_at: z.string(),
    kind: z.enum(ENTRY_KINDS),
    amount: price(z.string().describe('Negative: reduces the balance.')),
    balance_after: price(z.string()),
    order_id: z.int().nullable().describe('The order that was paid or refunded.'),
    family: z.enum(FAMILIES).nullable().describe('Kind of the order.'),
    top_up_id: z.int().nullable().describe('The top-up from which the money comes.'),
    note: z.string().nullable().describe('Reference of the payment, or reason of the adjustment.'),
  },
  ({ family }) => (family as Family | null) ?? undefined,
).register(z.globalRegistry, { id: 'WalletEntry' });

export const toEntry = ({
  entry_id,
  recorded_at,
  kind,
  amount,
  balance_after,
  order_id,
  family,
  topup_id,
  reference,
  reason,
}: WalletEntry): z.infer<typeof entrySchema> => ({
  id: entry_id,
  created_at: recorded_at,
  kind,
  amount,
  balance_after,
  order_id,
  family,
  top_up_id: topup_id,
  note: reference ?? reason ?? null,
});
