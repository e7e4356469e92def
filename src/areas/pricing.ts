/** Prices: rate cards with their versions, and quotes that orders refer to. */
import { createCards } from '../api/areas/pricing/cards.js';
import { PRICING_EXAMPLES } from '../api/areas/pricing/examples.js';
import { createPricedInputs } from '../api/areas/pricing/priced-inputs.js';
import { createPricer } from '../api/areas/pricing/pricer.js';
import { createQuoteService } from '../api/areas/pricing/quote-service.js';
import { quoteOperations } from '../api/areas/pricing/quotes.js';
import { rateCardOperations } from '../api/areas/pricing/rate-cards.js';
import { createRoadDistance } from '../api/areas/pricing/road-distance.js';
import { tableImportOperation } from '../api/areas/pricing/table-import.js';
import { tryOperation } from '../api/areas/pricing/try.js';
import { defaultCards as defaultDecider } from '../commands/pricing/default-cards.js';
import { rateCards as decider } from '../commands/pricing/rate-cards.js';
import { createQuotes } from '../engines/postgres/quotes.js';
import { Osrm } from '../engines/routing/osrm.js';
import { accountIdsIn } from '../events/accounts/events.js';
import { orderIdsIn } from '../events/orders/events.js';
import { PRICING_EVENTS, PRICING_PREFIX, RATE_CARD_EVENTS, RATE_CARD_PREFIX } from '../events/pricing/events.js';
import { createRateCardQueries } from '../projections/pricing/queries.js';
import { defaultCards, RATE_CARD_IDS, rateCards } from '../projections/pricing/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { customerTerms } from './customer-terms.js';
import { datasets } from './datasets.js';
import { orders } from './orders.js';
import { QUOTE_DELIVERY } from './wiring/quote-delivery.js';

export const pricing = area({
  name: 'pricing',
  examples: PRICING_EXAMPLES,
  streams: [
    { prefix: RATE_CARD_PREFIX, events: RATE_CARD_EVENTS, tenant: 'business' },
    { prefix: PRICING_PREFIX, events: PRICING_EVENTS, tenant: 'business' },
  ],
  readModels: [rateCards, defaultCards],
  sequences: [RATE_CARD_IDS],
  errors: {
    RATE_CARD_NOT_FOUND: 404,
    RATE_CARD_VERSION_NOT_FOUND: 404,
    RATE_CARD_RETIRED: 409,
    TOO_MANY_VERSIONS: 409,
    RATE_CARD_INVALID: 422,
    RATE_TABLE_UNREADABLE: 422,
    DIMENSIONS_NEEDED: 422,
  },
  tools: { operations: [QUOTE_DELIVERY] },
  services({ database, types, of, config: { routing }, engines: { log, pool, limits, secretFor } }) {
    const { osrmUrl: url, osrmTableSize: tableSize, roadFactorPercent } = routing;
    const defaultRoadFactor = String(roadFactorPercent / 100);
    const queries = createRateCardQueries({ database, log, types });
    const cards = createCards(queries);
    const quotes = createQuotes(pool, limits);
    const inputsOf = createPricedInputs({
      warehouses: of(orders).warehouses,
      geocode: of(datasets).geocode,
      roadDistance: createRoadDistance(url === undefined ? undefined : new Osrm({ url, tableSize })),
    });
    const { queries: terms } = of(customerTerms);
    const priced = createPricer({ cards, terms, inputsOf, defaultRoadFactor });
    const service = createQuoteService({ priced, quotes, key: secretFor('quotes') });
    return { queries, cards, quotes, inputsOf, terms, service, defaultRoadFactor };
  },
  operations({ queries, inputsOf, terms, service, defaultRoadFactor }, { handle, of }) {
    const handleCards = handle(decider);
    return [
      ...rateCardOperations({ handle: handleCards, defaults: handle(defaultDecider), queries }),
      tableImportOperation({ handle: handleCards, queries }),
      tryOperation({ queries, inputsOf, defaultRoadFactor }),
      ...quoteOperations({ service, terms, accounts: of(accounts).queries }),
    ];
  },
  sweep: ({ quotes }) => quotes.sweep(),
  forget:
    ({ quotes }) =>
    (subjects) =>
      quotes.forget({ customers: accountIdsIn(subjects), orders: orderIdsIn(subjects) }),
});
