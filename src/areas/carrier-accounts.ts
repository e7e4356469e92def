/** Accounts of a business at carriers and aggregators, their shipping methods, and the numbers of printed labels. */
import { accountOperations, type AccountCalls } from '../api/areas/carrier-accounts/accounts.js';
import { changingOperations } from '../api/areas/carrier-accounts/changing.js';
import { CARRIER_ACCOUNT_EXAMPLES } from '../api/areas/carrier-accounts/examples.js';
import { createExpectMarkupCard } from '../api/areas/carrier-accounts/markup-card.js';
import { shippingMethodOperation } from '../api/areas/carrier-accounts/methods.js';
import { createCarrierSecrets } from '../api/areas/carrier-accounts/secrets.js';
import { carrierAccounts as decider } from '../commands/carrier-accounts/decider.js';
import { createNumberStreams } from '../commands/carrier-accounts/number-streams.js';
import { createCarriers } from '../engines/outside/carriers/index.js';
import { renderLabel } from '../engines/label-printing/render-label.js';
import { createCarrierClaims } from '../engines/postgres/carrier-claims.js';
import { CARRIER_ACCOUNT_EVENTS, CARRIER_ACCOUNT_PREFIX } from '../events/carrier-accounts/events.js';
import { NUMBER_EVENTS, NUMBERS_PREFIX } from '../events/carrier-accounts/numbers.js';
import { carrierNumbers, createNumberQueries } from '../projections/carrier-accounts/numbers.js';
import { createCarrierAccountQueries } from '../projections/carrier-accounts/queries.js';
import { CARRIER_ACCOUNT_IDS, carrierAccounts as rows } from '../projections/carrier-accounts/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { effects } from './effects.js';
import { pricing } from './pricing.js';
import { createCarrierCalls } from './wiring/carrier-calls.js';
import { createCarrierServices } from './wiring/carrier-services.js';
import { GET_SHIPPING_METHODS } from './wiring/shipping-methods.js';

export const carrierAccounts = area({
  name: 'carrier-accounts',
  examples: CARRIER_ACCOUNT_EXAMPLES,
  streams: [
    { prefix: CARRIER_ACCOUNT_PREFIX, events: CARRIER_ACCOUNT_EVENTS, tenant: 'business', erasure: 'own' },
    { prefix: NUMBERS_PREFIX, events: NUMBER_EVENTS, tenant: 'business' },
  ],
  readModels: [rows, carrierNumbers],
  sequences: [CARRIER_ACCOUNT_IDS],
  errors: {
    CARRIER_ACCOUNT_NOT_FOUND: 404,
    CARRIER_METHOD_NOT_FOUND: 404,
    CARRIER_REFUSED: 422,
    CARRIER_UNAVAILABLE: 503,
    CREDENTIALS_MISSING: 409,
    NUMBERS_EXHAUSTED: 409,
    NUMBERS_IN_USE: 409,
    TOO_MANY_CARRIER_ACCOUNTS: 409,
    TOO_MANY_METHODS: 409,
  },
  tools: { operations: [GET_SHIPPING_METHODS], developer: [GET_SHIPPING_METHODS] },
  services({ database, types, of, now, config, engines: { log, pool, keyRing } }) {
    const queries = createCarrierAccountQueries(database, keyRing);
    const numberQueries = createNumberQueries(pool);
    const numbers = createNumberStreams({ log, types, keyRing, now, known: numberQueries.known });
    const { cards, inputsOf, defaultRoadFactor } = of(pricing);
    const { credentials, circuits } = of(effects);
    const carriers = createCarriers(
      createCarrierServices({
        cards,
        inputsOf,
        defaultRoadFactor,
        businesses: of(accounts).queries,
        numbers,
        renderLabel,
        now,
      }),
      { easypost: { baseUrl: config.carriers.easypostUrl, timeoutMs: config.carriers.timeoutMs, now } },
    );
    return {
      queries,
      numberQueries,
      numbers,
      claims: createCarrierClaims(pool),
      carriers,
      calls: createCarrierCalls({ carriers, credentials, circuits }),
    };
  },
  operations({ queries, numberQueries, numbers, claims, carriers, calls }, { handle, of, config }) {
    const { expectAvailable, credentials } = of(effects);
    const { queries: rateCards, terms } = of(pricing);
    const shared = {
      handle: handle(decider),
      queries,
      secrets: createCarrierSecrets(credentials),
      calls: {
        ...calls,
        expectAvailable: (account) => expectAvailable(calls.circuitOf(account), 'CARRIER_UNAVAILABLE'),
      } satisfies AccountCalls,
      timeoutMs: config.carriers.timeoutMs,
    };
    return [
      ...accountOperations({ ...shared, numbers: numberQueries }),
      ...changingOperations({
        ...shared,
        adapterIds: [...carriers.keys()],
        expectMarkupCard: createExpectMarkupCard(rateCards),
        claims,
        setRange: numbers.setRange,
      }),
      shippingMethodOperation({ queries, terms, rateCards, adapterOf: calls.adapterOf }),
    ];
  },
  sweep: ({ claims }) => claims.sweep(),
});
