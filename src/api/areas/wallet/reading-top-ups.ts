/** Reads of top-ups, for the customer who began them and for the office. */
import { z } from 'zod';
import { topUpOf } from '../../../events/wallet/transfer-reference.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { TopUp, TopUpQueries, TopUpViewer } from '../../../projections/wallet/top-up-queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { fieldError, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { statusSchema, TOP_UP_VERSION, topUpSchema, toTopUp } from './top-up-shapes.js';
import type { CardTopUps } from './card-top-ups.js';
import type { Wallets } from './wallets.js';

const READ = { area: 'Billing', callers: ['client_admin', 'employee', 'customer'], scopes: ['billing:read'] } as const;

export interface ReadingTopUpsOptions {
  readonly topUps: TopUpQueries;
  readonly wallets: Pick<Wallets, 'businessOfCustomer'>;
  readonly accounts: Pick<AccountQueries, 'business'>;
  readonly cards: Pick<CardTopUps, 'linkOf'>;
}

/** Customers see their own top-ups. Staff see the top-ups of the business. */
function viewerOf(caller: Caller): TopUpViewer {
  const { role, userId } = userOf(caller);
  return { business: businessOf(caller), ...(role === 'customer' && { accountId: userId }) };
}

/** Returns the top-up if the caller sees it; throws NOT_FOUND. */
export async function visibleTopUp(topUps: Pick<TopUpQueries, 'byId'>, id: number, caller: Caller): Promise<TopUp> {
  const found = await topUps.byId(id, viewerOf(caller));
  if (!found) throw fieldError('NOT_FOUND', 'top_up_id');
  return found;
}

export function topUpReads({ topUps, wallets, accounts, cards }: ReadingTopUpsOptions): Operation[] {
  return [
    operation({
      ...READ,
      name: 'topUps',
      summary: 'List top-ups of wallets',
      description:
        'Lists top-ups, newest first. Customers see only their own top-ups. Staff find the top-up of a bank transfer by its `reference`.',
      rest: { method: 'get', path: '/v1/customer/wallet/top-ups' },
      reads: ['topups', 'accounts'],
      answers: { 404: 'The business has no such customer, or the caller is another customer.' },
      input: z.object({
        customer_id: idSchema.optional().describe('Return only top-ups of this customer.'),
        status: statusSchema.optional(),
        reference: z
          .string()
          .max(20)
          .optional()
          .describe('Return only the top-up with this payment reference. Case, spaces and hyphens do not matter.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, top_ups: z.array(topUpSchema) }),
      async run({ customer_id, status, reference, ...page }, { caller }) {
        if (customer_id !== undefined) await wallets.businessOfCustomer(customer_id, caller);
        const id = reference === undefined ? undefined : topUpOf(reference);
        if (reference !== undefined && id === undefined)
          throw invalidForm('reference', 'payment reference with a valid check character, such as T00000001O');
        const viewer = { ...viewerOf(caller), ...(customer_id !== undefined && { accountId: customer_id }) };
        const { rows, ...found } = await topUps.list({ ...rangeOf(page), status, id }, viewer);
        return { ...pageOf(page, found), top_ups: rows.map(toTopUp) };
      },
    }),
    operation({
      ...READ,
      name: 'topUp',
      versioned: TOP_UP_VERSION,
      summary: 'Get a top-up',
      description:
        'For a bank transfer, the response contains the account of the business from the billing profile. For a pending card payment of the calling customer, it contains the data that the app needs for the payment. The service reads this data from the payment provider.',
      returnsCredential: true,
      rest: { method: 'get', path: '/v1/customer/wallet/top-ups/:top_up_id' },
      reads: ['topups', 'businesses'],
      answers: { 404: 'There is no such top-up, or it belongs to another customer.' },
      input: z.object({ top_up_id: idSchema.describe('Id of the top-up.') }),
      output: z.object({ result: z.boolean(), top_up: topUpSchema }),
      async run({ top_up_id }, { caller }) {
        const found = await visibleTopUp(topUps, top_up_id, caller);
        const profile = (await accounts.business(found.business))?.billing;
        const bank_details = found.method === 'card' ? null : (profile?.bank_details ?? null);
        const isOwn = userOf(caller).userId === found.account_id;
        return { result: true, top_up: { ...toTopUp(found), bank_details, ...(await cards.linkOf(found, isOwn)) } };
      },
    }),
  ];
}
