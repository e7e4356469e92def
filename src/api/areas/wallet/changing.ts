/** Changes of wallets by the office: money in, corrections, money out, and terms. */
import { z } from 'zod';
import { amountSchema, compare } from '../../../events/core/money.js';
import { walletStream } from '../../../events/wallet/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { userOf } from '../../core/callers.js';
import { invalidField, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactAtLeast, exactMoney } from '../../core/money.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { CardTopUps } from './card-top-ups.js';
import { currencyInput } from './reading.js';
import { termsVersion, type Wallets } from './wallets.js';

const WRITE = {
  area: 'Billing',
  scopes: ['billing:write'],
  risk: 'high',
  writes: true,
  awaits: ['wallets', 'wallet_entries', 'ledger'],
  returns: { read: 'customerWallets' },
} as const;
const NOT_FOUND = { 404: 'The business has no such customer.' };
const NOT_AVAILABLE = { 402: 'The amount is not available (`INSUFFICIENT_FUNDS`).' };
const TOO_HIGH = { 422: 'The new balance would have more than twelve digits (`AMOUNT_TOO_HIGH`).' };
const TOO_PRECISE = 'An amount must not have more decimal digits than its currency (`TOO_PRECISE`).';

const of = { customer_id: idSchema, currency: currencyInput };
const positive = amountSchema.describe('Greater than zero.');
const entryOutput = z.object({
  result: z.boolean(),
  entry_id: z.uuid().describe('`id` of the entry in the list of entries.'),
});

export interface WalletChangesOptions {
  readonly wallets: Wallets;
  readonly cards: Pick<CardTopUps, 'refund'>;
}

export function walletChanges({ wallets, cards }: WalletChangesOptions): Operation[] {
  /** The wallet of a request, and the id of its entry: the same for a retry. */
  const target = async (customerId: number, currency: string | undefined, { caller, commandId }: Context) => {
    const business = await wallets.businessOfCustomer(customerId, caller);
    const key = await wallets.keyOf(customerId, currency, business);
    return { key, entryId: derivedId('wallet entry', walletStream(key), commandId) };
  };

  return [
    operation({
      ...WRITE,
      name: 'walletCredit',
      summary: 'Add money to the wallet of a customer',
      description: `Records a payment that the business received outside of the service, or a gift. Opens the wallet if the customer has none in the currency. ${TOO_PRECISE}`,
      rest: { method: 'post', path: '/v1/customers/:customer_id/wallet/credits' },
      callers: ['client_admin', 'employee'],
      answers: { ...NOT_FOUND, ...TOO_HIGH },
      input: z.object({
        ...of,
        amount: positive,
        source: z
          .enum(['bank', 'cash', 'goodwill', 'transfer'])
          .describe(
            '`bank`: bank transfer. `cash`: cash payment. `goodwill`: gift of the business. `transfer`: balance from another system.',
          ),
        reference: z
          .string()
          .trim()
          .min(1)
          .max(100)
          .optional()
          .describe('Reference of the payment, for example the number of the bank transfer.'),
      }),
      output: entryOutput,
      async run({ customer_id, currency, source, reference, amount: given }, context) {
        const { key, entryId } = await target(customer_id, currency, context);
        const { amount } = exactAtLeast({ amount: given, currency: key.currency }, '/amount');
        await wallets.send(key, { do: 'credit', entryId, amount, source, reference }, context);
        return { result: true, entry_id: entryId };
      },
    }),
    operation({
      ...WRITE,
      name: 'walletAdjust',
      summary: 'Correct the balance of a wallet',
      description: `Adds a positive or negative amount to the balance. A negative amount must be available in the wallet. Opens the wallet if the customer has none in the currency. ${TOO_PRECISE}`,
      rest: { method: 'post', path: '/v1/customers/:customer_id/wallet/adjustments' },
      callers: ['client_admin'],
      answers: { ...NOT_FOUND, ...NOT_AVAILABLE, ...TOO_HIGH },
      input: z.object({
        ...of,
        amount: amountSchema.describe('Amount other than zero. A negative amount reduces the balance.'),
        reason: z.string().trim().min(3).max(500),
      }),
      output: entryOutput,
      async run({ customer_id, currency, reason, amount: given }, context) {
        const { key, entryId } = await target(customer_id, currency, context);
        const { amount } = exactMoney({ amount: given, currency: key.currency }, '/amount');
        if (compare(amount, '0') === 0) throw invalidForm('amount', 'an amount other than zero');
        const by = userOf(context.caller).userId;
        await wallets.send(key, { do: 'adjust', entryId, amount, reason, by }, context);
        return { result: true, entry_id: entryId };
      },
    }),
    operation({
      ...WRITE,
      name: 'walletWithdraw',
      awaits: [...WRITE.awaits, 'topups'],
      summary: 'Return money from a wallet to a bank account or card',
      description: `\`bank\`: reduces the balance by an amount that the business has transferred to the customer. The service makes no transfer. \`card\`: returns a part of a card payment to the card. The wallet holds the amount until the payment provider reports the result. If the provider refuses the refund, at once or later, the amount returns to the wallet. ${TOO_PRECISE}`,
      rest: { method: 'post', path: '/v1/customers/:customer_id/wallet/withdrawals' },
      callers: ['client_admin'],
      answers: {
        ...NOT_AVAILABLE,
        404: 'The business has no such customer, or the customer has no such card payment.',
        409: 'The wallet is frozen (`WALLET_FROZEN`), or the customer has no wallet in the currency (`NO_WALLET_IN_CURRENCY`). Or the top-up has another currency, or its payment was not received (`CONFLICT`).',
        422: 'The amount is greater than the part of the card payment that was neither returned nor disputed (`AMOUNT_TOO_HIGH`).',
        503: 'The payment provider is not available (`PAYMENTS_UNAVAILABLE`).',
      },
      input: z.object({
        ...of,
        amount: positive,
        to: z.enum(['bank', 'card']).describe('`bank`: a bank account. `card`: the card of a top-up.'),
        top_up_id: idSchema.optional().describe('The top-up that was paid by card. Required for `card`.'),
      }),
      output: entryOutput.extend({
        withdrawal_status: z
          .enum(['pending', 'made', 'refused'])
          .describe(
            '`made`: the money has left the wallet. `pending`: the payment provider has not reported the result yet; the top-up shows it in `refunds`. `refused`: the provider has refused, and the amount has returned to the wallet.',
          ),
      }),
      async run({ customer_id, currency, amount: given, to, top_up_id }, context) {
        if (to === 'bank' && top_up_id !== undefined) throw invalidForm('top_up_id', 'no value, unless `to` is `card`');
        const { key, entryId } = await target(customer_id, currency, context);
        const { amount } = exactAtLeast({ amount: given, currency: key.currency }, '/amount');
        if (to === 'card') {
          if (top_up_id === undefined) throw invalidField('REQUIRED', 'top_up_id');
          const refund = { refundId: entryId, topUpId: top_up_id, key, amount };
          return { result: true, entry_id: entryId, withdrawal_status: await cards.refund(refund, context) };
        }
        await wallets.send(key, { do: 'withdraw', entryId, amount, why: 'refund_to_bank' }, context);
        return { result: true, entry_id: entryId, withdrawal_status: 'made' as const };
      },
    }),
    operation({
      ...WRITE,
      name: 'walletTermsUpdate',
      awaits: ['wallets'],
      versioned: termsVersion(wallets),
      returns: { read: 'walletTerms' },
      summary: 'Update the credit limit of a wallet, or freeze it',
      description: `Omitted fields keep their values. Opens the wallet if the customer has none in the currency. A lower credit limit is rejected if the customer has already used more than the new limit. ${TOO_PRECISE}`,
      rest: { method: 'patch', path: '/v1/customers/:customer_id/wallet/terms' },
      callers: ['client_admin'],
      answers: { ...NOT_FOUND, ...NOT_AVAILABLE },
      input: z.object({
        ...of,
        credit_limit: amountSchema
          .optional()
          .describe('The amount by which the balance may be below zero; at least zero.'),
        is_frozen: z
          .boolean()
          .optional()
          .describe('True: the wallet refuses payments, reservations and withdrawals. It accepts incoming money.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ customer_id, currency, credit_limit, is_frozen }, context) {
        const { key, entryId } = await target(customer_id, currency, context);
        const creditLimit =
          credit_limit === undefined
            ? undefined
            : exactAtLeast({ amount: credit_limit, currency: key.currency }, '/credit_limit', '0').amount;
        await wallets.send(key, { do: 'setTerms', entryId, creditLimit, frozen: is_frozen }, context);
        return { result: true };
      },
    }),
  ];
}
