/** Top-ups: customers begin them, and staff confirm that a bank transfer has arrived. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { ConfirmAndCredit } from '../../../commands/wallet/crediting.js';
import type { TopUpCommand } from '../../../commands/wallet/top-ups.js';
import type { EffectReply } from '../../../events/effects/records.js';
import {
  MAX_OPEN_TOP_UPS,
  MAX_TOP_UPS_PER_DAY,
  type TopUpClaim,
  type TopUpClaims,
} from '../../../engines/postgres/top-up-claims.js';
import { withFormat } from '../../../events/core/format.js';
import { amountSchema, currencySchema } from '../../../events/core/money.js';
import type { Family } from '../../../events/pricing/families.js';
import { topUpStream } from '../../../events/wallet/top-ups.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { TopUpQueries } from '../../../projections/wallet/top-up-queries.js';
import { TOP_UP_IDS } from '../../../projections/wallet/top-ups.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactAtLeast, exactBetween } from '../../core/money.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { visibleOrder } from '../orders/viewer.js';
import { visibleTopUp } from './reading-top-ups.js';
import type { CardTopUps } from './card-top-ups.js';
import { checkoutSchema, methodSchema, TOP_UP_VERSION } from './top-up-shapes.js';
import type { Wallets } from './wallets.js';

/** Limits of the announced amount, in units of the currency. */
const AMOUNTS = ['1', '50000'] as const;
const returnUrlSchema = withFormat(
  z.url({ protocol: /^https$/ }).max(2_000),
  'https address, such as https://shop.example/wallet',
);
/** The family of all orders that customers can name. */
const FAMILY: Family = 'local_delivery';

const WRITE = { area: 'Billing', scopes: ['billing:write'], writes: true, returns: { read: 'topUp' } } as const;
const TOO_PRECISE = 'An amount must not have more decimal digits than its currency (`TOO_PRECISE`).';

export interface ChangingTopUpsOptions {
  readonly handle: Handle<TopUpCommand, EffectReply>;
  readonly cards: CardTopUps;
  readonly confirm: ConfirmAndCredit;
  readonly claims: TopUpClaims;
  readonly topUps: Pick<TopUpQueries, 'byId'>;
  readonly wallets: Pick<Wallets, 'keyOf'>;
  readonly accounts: Pick<AccountQueries, 'business'>;
  readonly orders: OrderQueries;
  readonly terms: Pick<CustomerTermsQueries, 'hiddenFamilies'>;
}

export function topUpChanges(options: ChangingTopUpsOptions): Operation[] {
  const { handle, cards, confirm, topUps, wallets, accounts } = options;
  return [
    operation({
      ...WRITE,
      name: 'topUpCreate',
      summary: 'Begin a top-up of your wallet',
      description: `Only customers can call it. For a bank transfer, the response contains the account of the business and the payment \`reference\` that the transfer must have. The wallet gets the money when staff confirm the transfer. The top-up expires after 14 days. For a card payment, the response contains \`client_secret\` and \`publishable_key\` for the form of the payment provider, or \`checkout_url\`. Card data never reaches this service. The wallet gets the money when the payment provider reports the payment. The top-up expires after 24 hours. If the payment provider does not respond in time, these members are null; read the top-up again. ${TOO_PRECISE}`,
      rest: { method: 'post', path: '/v1/customer/wallet/top-ups', status: 201 },
      callers: ['customer'],
      returnsCredential: true,
      risk: 'medium',
      awaits: ['topups'],
      answers: {
        403: '`PRICE_HIDDEN_SETTLE_OFFLINE`: the business hides the prices of the order from the customer.',
        404: '`ORDER_NOT_FOUND`: the customer has no such order.',
        409: '`NO_BANK_DETAILS`: the billing profile of the business has no account for transfers.',
        429: '`RATE_LIMITED`: more than 20 open top-ups, or more than 60 within 24 hours.',
        503: '`PAYMENTS_UNAVAILABLE`: there is no payment provider for card payments, or the provider does not respond.',
      },
      input: z.object({
        amount: amountSchema.describe('From 1 to 50,000 in units of the currency.'),
        currency: currencySchema.optional().describe('Default: the currency of the billing profile of the business.'),
        method: methodSchema,
        checkout: checkoutSchema.optional().describe('Page on which the customer pays by card. Default: `embedded`.'),
        return_url: returnUrlSchema
          .optional()
          .describe(
            'The https page to which the customer returns from the page of the payment provider. Required for `hosted`.',
          ),
        order_id: idSchema.optional().describe('The order that you want to pay with the top-up.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ amount: given, currency, method, order_id, ...how }, context) {
        const { caller, cause, time, wrote, reserveIds } = context;
        const [business, accountId] = [businessOf(caller), userOf(caller).userId];
        if (order_id !== undefined) await mustBePayable(order_id, caller, options);
        const account = method === 'card' ? await cards.accountFor(business, how) : undefined;
        if (!account && !(await accounts.business(business))?.billing?.bank_details)
          throw new ApiError('NO_BANK_DETAILS');
        const key = await wallets.keyOf(accountId, currency, business);
        const { amount } = exactBetween({ amount: given, currency: key.currency }, '/amount', AMOUNTS);
        if (account) cards.mustBePayable({ amount, currency: key.currency });
        const [id] = (await reserveIds(TOP_UP_IDS, 1)) as [number];
        await mustBeWithinLimits({ accountId, topUpId: id }, context, options);
        const command = { do: 'begin', id, business, ...key, amount, orderId: order_id, at: time } as const;
        const { changed, position, reply } = await handle(
          topUpStream(id),
          account ? cards.withCard(command, account, how) : command,
          cause,
        );
        wrote(position);
        if (reply.effect) wrote(await cards.prepare(id, { effect: reply.effect, changed, cause }));
        return { result: true, top_up_id: id };
      },
    }),
    operation({
      ...WRITE,
      name: 'topUpConfirm',
      versioned: TOP_UP_VERSION,
      summary: 'Confirm that the transfer of a top-up has arrived',
      description: `Credits the amount that arrived to the wallet of the customer. If there is no wallet, the service opens one. The amount may differ from the announced amount. A repeated call with the same amount changes nothing. For a transfer that arrives after the top-up has expired, use \`walletCredit\`. ${TOO_PRECISE}`,
      rest: { method: 'post', path: '/v1/top-ups/:top_up_id/confirm' },
      callers: ['client_admin', 'employee'],
      risk: 'high',
      awaits: ['topups', 'wallets', 'wallet_entries', 'ledger'],
      answers: {
        404: 'The business has no such top-up.',
        409: '`CONFLICT`: the top-up is already confirmed with another amount, or it has expired.',
        422: 'The new balance would have more than twelve digits (`AMOUNT_TOO_HIGH`).',
      },
      input: z.object({
        top_up_id: idSchema.describe('Id of the top-up.'),
        amount: amountSchema.describe('The amount that arrived. Greater than zero.'),
        bank_reference: z
          .string()
          .trim()
          .min(1)
          .max(100)
          .optional()
          .describe('Reference of the bank for the transfer, as on the bank statement.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ top_up_id, amount: given, bank_reference }, { caller, cause, time, wrote }) {
        const { id, business, account_id, currency, reference } = await visibleTopUp(topUps, top_up_id, caller);
        const { amount } = exactAtLeast({ amount: given, currency }, '/amount');
        const by = userOf(caller).userId;
        const { position } = await confirm(
          { id, business, accountId: account_id, currency, reference },
          { do: 'confirm', id, business, amount, by, bankReference: bank_reference, at: time },
          cause,
        );
        wrote(position);
        return { result: true };
      },
    }),
  ];
}

/** Throws PRICE_HIDDEN_SETTLE_OFFLINE or ORDER_NOT_FOUND. */
async function mustBePayable(
  orderId: number,
  caller: Caller,
  { orders, terms }: Pick<ChangingTopUpsOptions, 'orders' | 'terms'>,
): Promise<void> {
  if ((await terms.hiddenFamilies(userOf(caller).userId)).has(FAMILY))
    throw fieldError('PRICE_HIDDEN_SETTLE_OFFLINE', 'order_id');
  await visibleOrder(orders, caller, { order_id: orderId });
}

/** Throws RATE_LIMITED if the account has no free place for the top-up. */
async function mustBeWithinLimits(
  claim: TopUpClaim,
  { cause, time }: Context,
  { claims }: Pick<ChangingTopUpsOptions, 'claims'>,
): Promise<void> {
  if (cause.dryRun) return;
  const seconds = await claims.claim(claim, time);
  if (seconds === undefined) return;
  throw new ApiError('RATE_LIMITED', {
    says: 'TOO_MANY_TOP_UPS',
    params: { open: MAX_OPEN_TOP_UPS, day: MAX_TOP_UPS_PER_DAY },
    headers: { 'Retry-After': String(seconds) },
  });
}
