/** Reads of wallets, for the customer who owns them and for the office. */
import { z } from 'zod';
import { addDays, startOfDay } from '../../../events/core/local-time.js';
import { currencySchema, rounded } from '../../../events/core/money.js';
import { ENTRY_KINDS } from '../../../projections/wallet/entries.js';
import type { WalletQueries } from '../../../projections/wallet/queries.js';
import type { TopUpQueries } from '../../../projections/wallet/top-up-queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import {
  entrySchema,
  termsSchema,
  toEntry,
  toTerms,
  toWallet,
  walletAmountsOf,
  walletAmountsSchema,
  walletSchema,
} from './shapes.js';
import { recentTopUpSchema, toRecentTopUp } from './top-up-shapes.js';
import { termsVersion, type Wallets } from './wallets.js';

const READ = {
  area: 'Billing',
  callers: ['client_admin', 'employee', 'auditor', 'customer'],
  scopes: ['billing:read'],
  answers: { 404: 'The business has no such customer, or the caller is another customer.' },
} as const;

/** `currency` of requests about one wallet. */
export const currencyInput = currencySchema
  .optional()
  .describe(
    'Currency of the wallet. Default: the currency of the billing profile. Without a billing profile, the default is the currency of the only wallet of the customer.',
  );

/** Maximum number of top-ups in the response about the balance. */
const RECENT_TOP_UPS = 10;

export interface ReadingOptions {
  readonly queries: WalletQueries;
  readonly topUps: Pick<TopUpQueries, 'newest'>;
  readonly wallets: Wallets;
}

export function walletReads({ queries, topUps, wallets }: ReadingOptions): Operation[] {
  return [
    operation({
      name: 'accountCredits',
      area: 'Billing',
      summary: 'Get the prepaid balance of the calling customer',
      description:
        'Only customers can call it. Returns the wallet in the currency of the business, the other wallets of the customer in `wallets`, and the newest top-ups. A customer without a wallet gets zero amounts.',
      rest: { method: 'get', path: '/v1/customer/credits' },
      callers: ['customer'],
      scopes: ['analytics:read'],
      reads: ['wallets', 'topups', 'businesses'],
      input: z.object({}),
      output: z.object({
        result: z.boolean(),
        ...walletAmountsSchema.shape,
        currency: z
          .string()
          .nullable()
          .describe(
            'Currency of the wallet. Null: the business has no billing profile, and the customer does not have exactly one wallet.',
          ),
        credit_limit: walletSchema.shape.credit_limit,
        wallets: z.array(walletAmountsSchema).describe('Wallets in other currencies.'),
        recent_top_ups: z.array(recentTopUpSchema).max(RECENT_TOP_UPS).describe('Newest first.'),
      }),
      async run(_input, { caller }) {
        const [business, { userId }] = [businessOf(caller), userOf(caller)];
        const [currency = null, all, recent] = await Promise.all([
          wallets.defaultCurrency(business, userId),
          queries.ofCustomer(business, userId),
          topUps.newest(RECENT_TOP_UPS, { business, accountId: userId }),
        ]);
        const main = all.find((one) => one.currency === currency);
        const zero = rounded('0', currency ?? '');
        return {
          result: true,
          ...(main ? walletAmountsOf(main) : { currency, balance: zero, available: zero, held: zero }),
          credit_limit: main?.credit_limit ?? zero,
          wallets: all.filter((one) => one !== main).map(walletAmountsOf),
          recent_top_ups: recent.map(toRecentTopUp),
        };
      },
    }),
    operation({
      ...READ,
      name: 'customerWallets',
      summary: 'List the wallets of a customer',
      description:
        'A customer has one wallet for each currency in which the customer has paid. Customers can read only their own wallets.',
      rest: { method: 'get', path: '/v1/customers/:customer_id/wallets' },
      reads: ['wallets', 'accounts'],
      input: z.object({ customer_id: idSchema }),
      output: z.object({ result: z.boolean(), wallets: z.array(walletSchema) }),
      async run({ customer_id }, { caller }) {
        const business = await wallets.businessOfCustomer(customer_id, caller);
        return { result: true, wallets: (await queries.ofCustomer(business, customer_id)).map(toWallet) };
      },
    }),
    operation({
      ...READ,
      name: 'walletTerms',
      versioned: termsVersion(wallets),
      summary: 'Get the credit limit of a wallet',
      description: 'The response also states whether the wallet is frozen. Customers can read only their own terms.',
      rest: { method: 'get', path: '/v1/customers/:customer_id/wallet/terms' },
      reads: ['wallets', 'accounts', 'businesses'],
      input: z.object({ customer_id: idSchema, currency: currencyInput }),
      output: z.object({ result: z.boolean(), wallet_terms: termsSchema }),
      async run({ customer_id, currency }, { caller }) {
        const business = await wallets.businessOfCustomer(customer_id, caller);
        const key = await wallets.keyOf(customer_id, currency, business);
        const all = await queries.ofCustomer(business, customer_id);
        const wallet = all.find((one) => one.currency === key.currency);
        return { result: true, wallet_terms: toTerms(key.currency, wallet) };
      },
    }),
    operation({
      ...READ,
      name: 'walletEntries',
      summary: 'List the entries of a wallet',
      description:
        'Lists the payments in and out that change the balance, newest first. Reservations are not listed, because they change only the available amount. Customers can read only their own wallets.',
      rest: { method: 'get', path: '/v1/customers/:customer_id/wallet/entries' },
      reads: ['wallet_entries', 'wallets', 'accounts', 'businesses'],
      input: z.object({
        customer_id: idSchema,
        currency: currencyInput,
        kind: z.enum(ENTRY_KINDS).optional(),
        date_from: dateSchema.optional(),
        date_to: dateSchema.optional().describe('`YYYY-MM-DD`, inclusive, in the timezone of the business.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, entries: z.array(entrySchema) }),
      async run({ customer_id, currency, kind, date_from, date_to, ...page }, { caller }) {
        const business = await wallets.businessOfCustomer(customer_id, caller);
        const { timezone } = userOf(caller);
        const { rows, ...found } = await queries.entries(
          {
            ...rangeOf(page),
            ...(await wallets.keyOf(customer_id, currency, business)),
            kind,
            from: date_from && startOfDay(date_from, timezone),
            to: date_to && startOfDay(addDays(date_to, 1), timezone),
          },
          business,
        );
        return { ...pageOf(page, found), entries: rows.map(toEntry) };
      },
    }),
  ];
}
