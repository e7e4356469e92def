/** Finds the wallet that a request is about, and sends commands to it. */
import type { WalletChange, AnyWalletCommand, WalletReply } from '../../../commands/wallet/command.js';
import { TERMS } from '../../../commands/wallet/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { walletStream, type WalletKey } from '../../../events/wallet/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { WalletQueries } from '../../../projections/wallet/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { fieldError, invalidField } from '../../core/errors.js';
import type { Context, Versioned } from '../../core/operation.js';
import { versionOf } from '../../core/versions.js';

export interface WalletsOptions {
  readonly handle: Handle<AnyWalletCommand, WalletReply>;
  readonly queries: WalletQueries;
  readonly accounts: Pick<AccountQueries, 'byId' | 'business'>;
}

export type Wallets = ReturnType<typeof createWallets>;

export function createWallets({ handle, queries, accounts }: WalletsOptions) {
  /** The currency of the business; without one, the currency of the customer's only wallet. */
  async function defaultCurrency(business: number, accountId: number): Promise<string | undefined> {
    const billing = (await accounts.business(business))?.billing;
    if (billing) return billing.currency;
    const [only, ...others] = await queries.ofCustomer(business, accountId);
    return others.length === 0 ? only?.currency : undefined;
  }

  return {
    defaultCurrency,

    /** The business of a customer. Throws NOT_FOUND unless the caller may read the customer's wallets. */
    async businessOfCustomer(customerId: number, caller: Caller): Promise<number> {
      const { role, userId } = userOf(caller);
      const business = businessOf(caller);
      const account = role === 'customer' && userId !== customerId ? undefined : await accounts.byId(customerId);
      if (account?.business !== business || account.role !== 'customer') throw fieldError('NOT_FOUND', 'customer_id');
      return business;
    },

    /** The wallet in the currency, or in the default currency. Throws INVALID_INPUT if there is no default. */
    async keyOf(accountId: number, currency: string | undefined, business: number): Promise<WalletKey> {
      const known = currency ?? (await defaultCurrency(business, accountId));
      if (known === undefined) throw invalidField('REQUIRED', 'currency');
      return { accountId, currency: known };
    },

    async send(key: WalletKey, change: WalletChange, { caller, cause, time, wrote }: Context): Promise<void> {
      const command = { ...change, ...key, business: businessOf(caller), at: time };
      wrote((await handle(walletStream(key), command, cause)).position);
    },
  };
}

/** The version of a wallet counts changes of its terms: payments change the rest too often. */
export const termsVersion = (wallets: Pick<Wallets, 'keyOf'>): Versioned =>
  versionOf(
    async ({ customer_id, currency }, caller) =>
      walletStream(await wallets.keyOf(customer_id as number, currency as string | undefined, businessOf(caller))),
    () => TERMS,
  );
