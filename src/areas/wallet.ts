/** Wallets: prepaid balances of customers, their top-ups, and the ledger of all movements of money. */
import { WALLET_EXAMPLES } from '../api/areas/wallet/examples.js';
import { walletChanges } from '../api/areas/wallet/changing.js';
import { topUpChanges } from '../api/areas/wallet/changing-top-ups.js';
import { ledgerOperations } from '../api/areas/wallet/ledger.js';
import { walletReads } from '../api/areas/wallet/reading.js';
import { paymentSettings } from '../api/areas/wallet/payment-settings.js';
import { topUpReceipts } from '../api/areas/wallet/receipts.js';
import { topUpReads } from '../api/areas/wallet/reading-top-ups.js';
import { createWallets } from '../api/areas/wallet/wallets.js';
import { createConfirmAndCredit, createCreditTopUp } from '../commands/wallet/crediting.js';
import { wallet as decider } from '../commands/wallet/decider.js';
import { topUps as topUpDecider } from '../commands/wallet/top-ups.js';
import { createTopUpClaims } from '../engines/postgres/top-up-claims.js';
import { CARD_PAYMENT, CARD_REFUND } from '../events/wallet/card-payments.js';
import { TOP_UP_EVENTS, TOP_UP_PREFIX } from '../events/wallet/top-ups.js';
import { WALLET_EVENTS, WALLET_PREFIX } from '../events/wallet/events.js';
import { createOrderQueries } from '../projections/orders/queries.js';
import { walletEntries } from '../projections/wallet/entries.js';
import { ledger } from '../projections/wallet/ledger.js';
import { createWalletQueries } from '../projections/wallet/queries.js';
import { createTopUpQueries } from '../projections/wallet/top-up-queries.js';
import { TOP_UP_IDS, topUps as topUpRows } from '../projections/wallet/top-ups.js';
import { wallets as walletRows } from '../projections/wallet/wallets.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { customerTerms } from './customer-terms.js';
import { documents } from './documents.js';
import { CARD_WORK } from './wiring/card-work.js';
import { createPayments } from './wiring/payments.js';
import { startTopUpCredits, TOP_UP_CREDITS } from './wiring/top-up-credits.js';

export const wallet = area({
  name: 'wallet',
  examples: WALLET_EXAMPLES,
  // The key of the customer's account encrypts the texts of both, so the erasure of the account erases them.
  streams: [
    {
      prefix: WALLET_PREFIX,
      events: WALLET_EVENTS,
      tenant: 'business',
      erasure: 'otherwise',
      expires: ({ handle }) => handle(decider),
    },
    {
      prefix: TOP_UP_PREFIX,
      events: TOP_UP_EVENTS,
      tenant: 'business',
      erasure: 'otherwise',
      expires: ({ handle }) => handle(topUpDecider),
      effects: [CARD_PAYMENT, CARD_REFUND],
    },
  ],
  readModels: [walletRows, walletEntries, ledger, topUpRows],
  followers: [TOP_UP_CREDITS, CARD_WORK],
  sequences: [TOP_UP_IDS],
  errors: {
    INSUFFICIENT_FUNDS: 402,
    WALLET_FROZEN: 409,
    HOLD_GONE: 409,
    NO_WALLET_IN_CURRENCY: 409,
    AMOUNT_TOO_HIGH: 422,
    NO_BANK_DETAILS: 409,
    PAYMENTS_UNAVAILABLE: 503,
  },
  tools: {
    operations: [
      {
        category: 'billing',
        name: 'get_account_credits',
        title: 'Get the prepaid balance',
        operation: 'accountCredits',
        description:
          'Prepaid balance of the calling customer: balance, held and available amounts, credit limit, and recent top-ups. Only customers can call it.',
      },
    ],
  },
  services(context) {
    const { commands, types, engines } = context;
    const { log, pool } = engines;
    const { wallets } = commands;
    return {
      wallets,
      credit: createCreditTopUp({ log, types, wallets }),
      claims: createTopUpClaims(pool),
      payments: createPayments(context),
    };
  },
  operations(
    { wallets: handleWallet, credit, claims, payments },
    { database, types, now, of, engines: { log, keyRing, searchIndex: index } },
  ) {
    const queries = createWalletQueries(database, keyRing, now);
    const topUps = createTopUpQueries(database, keyRing, now);
    const { queries: accountQueries } = of(accounts);
    const wallets = createWallets({ handle: handleWallet, queries, accounts: accountQueries });
    const { topUps: handleTopUp, cards } = payments;
    return [
      ...walletReads({ queries, topUps, wallets }),
      ...walletChanges({ wallets, cards }),
      ...ledgerOperations({ queries }),
      ...topUpReads({ topUps, wallets, accounts: accountQueries, cards }),
      topUpReceipts({ topUps, issue: of(documents), log, types, keyRing }),
      ...topUpChanges({
        handle: handleTopUp,
        cards,
        confirm: createConfirmAndCredit({ topUps: handleTopUp, wallets: handleWallet, credit }),
        claims,
        topUps,
        wallets,
        accounts: accountQueries,
        orders: createOrderQueries({ database, keyRing, index }),
        terms: of(customerTerms).queries,
      }),
      ...paymentSettings(payments.settings),
    ];
  },
  effects: ({ payments }) => payments.effectKinds,
  inbound: ({ payments }) => [payments.inbound],
  work({ credit, payments }, { engines, progress, logger }) {
    const follower = startTopUpCredits({ engines, credit, progress, logger });
    const cards = payments.start();
    return [() => follower.stop(), () => cards.stop()];
  },
  close: ({ payments }) => payments.close(),
  sweep: ({ claims }) => claims.sweep(),
});
