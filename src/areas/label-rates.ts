/** Rates of carriers, before a label is bought. */
import { createAskCarriers } from '../api/areas/labels/ask-carriers.js';
import { LABEL_RATE_EXAMPLES } from '../api/areas/labels/rate-examples.js';
import { createLabelPrices } from '../api/areas/labels/label-prices.js';
import { createLabelRates } from '../api/areas/labels/label-rates.js';
import { rateOperations } from '../api/areas/labels/rate-operations.js';
import { createShipments } from '../api/areas/labels/shipments.js';
import { createCopyEntries } from '../api/areas/orders/stop-addresses.js';
import { createQuoteReservations } from '../api/areas/pricing/quote-reservations.js';
import { createSettlementOf } from '../api/areas/pricing/settlement.js';
import { createStoreQuotes } from '../api/areas/pricing/store-quotes.js';
import { hasEvents } from '../events/core/has-events.js';
import { createAddressQueries } from '../projections/addresses/queries.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { carrierAccounts } from './carrier-accounts.js';
import { orders } from './orders.js';
import { pricing } from './pricing.js';
import { COMPARE_ALL_CARRIERS, GET_SHIPPING_RATE } from './wiring/label-rate-tools.js';

/** A call to a carrier ends before the response of the service is due. */
const SHARE_OF_RESPONSE = 0.55;
/** The streams of label orders. The name is also the subject of their personal data. */
const LABEL_STREAM = /^label-(\d+)$/;

export const labelRates = area({
  name: 'label-rates',
  examples: LABEL_RATE_EXAMPLES,
  errors: { CUSTOMS_NEEDED: 422 },
  tools: { operations: [GET_SHIPPING_RATE, COMPARE_ALL_CARRIERS], developer: [GET_SHIPPING_RATE] },
  services({ database, of, config, engines: { log, keyRing, searchIndex, limits, secretFor } }) {
    const { queries, calls } = of(carrierAccounts);
    const { cards, quotes, terms } = of(pricing);
    const timeoutMs = Math.min(config.carriers.timeoutMs, Math.round(limits.responseMs * SHARE_OF_RESPONSE));
    return {
      terms,
      quotes,
      shipments: createShipments({
        warehouses: of(orders).warehouses,
        copyEntries: createCopyEntries(createAddressQueries({ database, keyRing, index: searchIndex })),
        accounts: queries,
      }),
      rates: createLabelRates({
        accounts: queries,
        ask: createAskCarriers({ access: calls, timeoutMs }),
        prices: createLabelPrices({ cards, terms }),
        store: createStoreQuotes({ quotes, key: secretFor('quotes') }),
        quotes,
        reservations: createQuoteReservations({ quotes, orderExists: (orderId) => hasEvents(log, `label-${orderId}`) }),
        settlementOf: createSettlementOf(terms),
      }),
    };
  },
  operations: ({ rates, shipments, terms }, { of }) =>
    rateOperations({ rates, shipments, terms, accounts: of(accounts).queries }),
  forget:
    ({ quotes }) =>
    (subjects) =>
      quotes.forget({
        customers: [],
        orders: subjects.flatMap((subject) => LABEL_STREAM.exec(subject)?.[1] ?? []).map(Number),
      }),
});
