/** Creates the parts of card payments: accounts, calls to the provider, and the bookings that follow from them. */
import { createCardTopUps } from '../../api/areas/wallet/card-top-ups.js';
import { createBookCard, createTopUpReader } from '../../commands/wallet/booking-cards.js';
import { paymentRequestOf, refundRequestOf } from '../../commands/wallet/card-requests.js';
import { topUps as decider } from '../../commands/wallet/top-ups.js';
import { createPaymentReads } from '../../engines/postgres/payment-reads.js';
import { createStripeAdapters } from '../../engines/payments/stripe-adapters.js';
import type { EffectKind } from '../../effects/kinds.js';
import { CARD_ADAPTER, CARD_PAYMENT, CARD_REFUND } from '../../events/wallet/card-payments.js';
import { accounts } from '../accounts.js';
import type { AreaContext } from '../area-context.js';
import { effects } from '../effects.js';
import { createCardPayments } from './card-payments.js';
import { startCardWork } from './card-work.js';
import { createPaymentAccounts, OPERATOR } from './payment-accounts.js';
import { createTestPayments } from './test-payments.js';

/** The list of all kinds does not have the types of their requests. */
const effectKind = <Request>(kind: EffectKind<Request>): EffectKind => kind as unknown as EffectKind;

export type Payments = ReturnType<typeof createPayments>;

export function createPayments(context: AreaContext) {
  const { config, commands, engines, types, handle, of, now, baseUrl, progress, logger } = context;
  const { log, pool, limits } = engines;
  const { credentials, digestOf, expectAvailable, perform, performer } = of(effects);
  const businesses = of(accounts).queries;
  const webhookUrlOf = (token: string): string => `${baseUrl()}/api/v1/inbound/${CARD_ADAPTER}/${token}`;
  const test = createTestPayments({ dataDir: config.dataDir, webhookUrlOf, operatorToken: OPERATOR });
  const paymentAccounts = createPaymentAccounts({
    config: config.payments,
    businesses,
    credentials,
    testAccounts: test.accounts,
  });
  const topUps = handle(decider);
  const { wallets } = commands;
  const read = createTopUpReader({ log, types });
  const book = createBookCard({ read, wallets, topUps, digestOf });
  const payments = createCardPayments({ accounts: paymentAccounts, performer, read, topUps, book, limits, now });
  const adapters = createStripeAdapters(paymentAccounts.keysOf);
  const reads = createPaymentReads(pool);

  return {
    topUps,
    inbound: payments.inbound,
    cards: createCardTopUps({
      handle: topUps,
      wallets,
      read,
      book,
      ...paymentAccounts,
      linkOf: payments.linkOf,
      digestOf,
      expectAvailable: (account) => expectAvailable(account, 'PAYMENTS_UNAVAILABLE'),
      perform,
    }),
    settings: {
      handle: commands.businesses,
      businesses,
      credentials,
      operator: {
        provider: config.payments.operator?.provider,
        publishableKey: config.payments.operator?.publishableKey ?? null,
      },
      webhookUrlOf,
      isProduction: config.production,
      addTestEndpoint: test.addEndpoint,
    },
    effectKinds: [
      effectKind({
        steps: CARD_PAYMENT,
        adapter: (name) => (name === CARD_ADAPTER ? adapters.payments : undefined),
        request: async (stream) => paymentRequestOf((await read(stream)).state.begun),
        handle: topUps,
      }),
      effectKind({
        steps: CARD_REFUND,
        adapter: (name) => (name === CARD_ADAPTER ? adapters.refunds : undefined),
        request: async (stream, effectId) => {
          const { state } = await read(stream);
          return refundRequestOf(state, state.effects.get(effectId)?.about ?? '');
        },
        handle: topUps,
      }),
    ],
    start: () => startCardWork({ engines, book, reads, payments, progress, logger }),
    close: test.close,
  };
}
