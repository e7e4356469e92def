/** Third-party delivery: providers pull the orders that are offered to them, and accept or decline them. */
import { THIRD_PARTY_EXAMPLES } from '../api/areas/third-party/examples.js';
import { offerOperations } from '../api/areas/third-party/offers.js';
import { providerOrders } from '../api/areas/third-party/provider-orders.js';
import { providerResponses } from '../api/areas/third-party/responses.js';
import { thirdPartyOffers } from '../projections/third-party/offers.js';
import { createThirdPartyQueries } from '../projections/third-party/queries.js';
import { area } from './area.js';
import { orders } from './orders.js';
import { providers } from './providers.js';
import { createOwnerOf } from './wiring/order-owner.js';

export const thirdParty = area({
  name: 'third-party',
  examples: THIRD_PARTY_EXAMPLES,
  readModels: [thirdPartyOffers],
  errors: { OFFERED_TO_THIRD_PARTY: 409 },
  operations(_services, { commands, database, engines, progress, of, now }) {
    const { log, keyRing } = engines;
    const { orders: handle } = commands;
    return [
      ...offerOperations({ handle, providers: of(providers).queries }),
      ...providerOrders({
        log,
        progress,
        now,
        queries: createThirdPartyQueries({ database, keyRing }),
        warehouses: of(orders).warehouses,
      }),
      ...providerResponses({ handle, ownerOf: createOwnerOf(log) }),
    ];
  },
});
