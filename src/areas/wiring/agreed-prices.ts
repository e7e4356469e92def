/** Creates the prices of new orders from the parts that quotes are calculated with. */
import { createAgreedPrices, type AgreedPrices } from '../../api/areas/pricing/agreed-prices.js';
import { createCards } from '../../api/areas/pricing/cards.js';
import { createPricedInputs } from '../../api/areas/pricing/priced-inputs.js';
import { roadFactorOf } from '../../api/areas/pricing/quote-service.js';
import { createRoadDistance } from '../../api/areas/pricing/road-distance.js';
import { createSettlementOf } from '../../api/areas/pricing/settlement.js';
import { createQuotes } from '../../engines/postgres/quotes.js';
import { Osrm } from '../../engines/routing/osrm.js';
import { hasEvents } from '../../events/core/has-events.js';
import { orderStream } from '../../events/orders/events.js';
import { createCustomerTermsQueries } from '../../projections/customer-terms/read-model.js';
import { createRateCardQueries } from '../../projections/pricing/queries.js';
import type { WarehouseQueries } from '../../projections/warehouses/queries.js';
import type { AreaContext } from '../area-context.js';
import { datasets } from '../datasets.js';

export function connectAgreedPrices(
  { database, types, of, config: { routing }, engines: { log, pool, limits } }: AreaContext,
  warehouses: Pick<WarehouseQueries, 'byId' | 'byDefault'>,
): AgreedPrices {
  const { osrmUrl: url, osrmTableSize: tableSize, roadFactorPercent } = routing;
  const cards = createCards(createRateCardQueries({ database, log, types }));
  return createAgreedPrices({
    quotes: createQuotes(pool, limits),
    inputsOf: createPricedInputs({
      warehouses,
      geocode: of(datasets).geocode,
      roadDistance: createRoadDistance(url === undefined ? undefined : new Osrm({ url, tableSize })),
    }),
    async roadFactorOf({ rate_card_id, card_version, business }) {
      const card = await cards.ofVersion(rate_card_id, card_version, business);
      return card && roadFactorOf(card.compiled, String(roadFactorPercent / 100));
    },
    settlementOf: createSettlementOf(createCustomerTermsQueries(database)),
    orderExists: (orderId) => hasEvents(log, orderStream(orderId)),
  });
}
