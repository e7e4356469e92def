/** Wallets: prepaid balances of customers, and the ledger of all movements of money. */
import { WALLET_EXAMPLES } from '../api/areas/wallet/examples.js';
import { walletChanges } from '../api/areas/wallet/changing.js';
import { ledgerOperations } from '../api/areas/wallet/ledger.js';
import { walletReads } from '../api/areas/wallet/reading.js';
import { createWallets } from '../api/areas/wallet/wallets.js';
import { wallet as decider } from '../commands/wallet/decider.js';
import { WALLET_EVENTS, WALLET_PREFIX } from '../events/wallet/events.js';
import { walletEntries } from '../projections/wallet/entries.js';
import { ledger } from '../projections/wallet/ledger.js';
import { createWalletQueries } from '../projections/wallet/queries.js';
import { wallets as walletRows } from '../projections/wallet/wallets.js';
import { accounts } from './accounts.js';
import { area } from './area.js';

export const wallet = area({
  name: 'wallet',
  examples: WALLET_EXAMPLES,
  streams: [
    {
      prefix: WALLET_PREFIX,
      events: WALLET_EVENTS,
      tenant: 'business',
      // The key of the customer's account encrypts the texts, so the erasure of the account erases them.
      erasure: 'otherwise',
      expires: ({ handle }) => handle(decider),
    },
  ],
  readModels: [walletRows, walletEntries, ledger],
  errors: {
    INSUFFICIENT_FUNDS: 402,
    WALLET_FROZEN: 409,
    HOLD_GONE: 409,
    NO_WALLET_IN_CURRENCY: 409,
    AMOUNT_TOO_HIGH: 422,
  },
  tools: {
    operations: [
      {
        category: 'billing',
        name: 'get_account_credits',
        title: 'Get the prepaid balance',
        operation: 'accountCredits',
        description:
          'Prepaid balance of the calling customer: balance, held and available amounts, and credit limit. Only customers can call it.',
      },
    ],
  },
  operations(_services, { commands, database, now, of, engines: { keyRing } }) {
    const queries = createWalletQueries(database, keyRing, now);
    const wallets = createWallets({ handle: commands.wallets, queries, accounts: of(accounts).queries });
    return [...walletReads({ queries, wallets }), ...walletChanges({ wallets }), ...ledgerOperations({ queries })];
  },
});
