/** Creates the prices of new orders from the parts that quotes are calculated with. */
import { createAgreedPrices, type AgreedPrices } from '../../api/areas/pricing/agreed-prices.js';
import { createCardPrice, type CardPrice } from '../../api/areas/pricing/card-price.js';
import { createCards } from '../../api/areas/pricing/cards.js';
import { createPricedInputs } from '../../api/areas/pricing/priced-inputs.js';
import { createPricer, roadFactorOf } from '../../api/areas/pricing/pricer.js';
import { createQuoteReservations } from '../../api/areas/pricing/quote-reservations.js';
import { createRoadDistance } from '../../api/areas/pricing/road-distance.js';
import { createSettlementOf } from '../../api/areas/pricing/settlement.js';
import { createQuotes } from '../../engines/postgres/quotes.js';
import { Osrm } from '../../engines/routing/osrm.js';
import { hasEvents } from '../../events/core/has-events.js';
import { orderStream } from '../../events/orders/events.js';
import { createCustomerTermsQueries, type CustomerTermsQueries } from '../../projections/customer-terms/read-model.js';
import { createRateCardQueries } from '../../projections/pricing/queries.js';
import type { WarehouseQueries } from '../../projections/warehouses/queries.js';
import type { AreaContext } from '../area-context.js';
import { datasets } from '../datasets.js';

export interface ConnectedPrices {
  /** Prices of quotes. */
  readonly quoted: AgreedPrices;
  /** Prices of orders without a quote. */
  readonly byCard: CardPrice;
  /** The same for orders of batches and imports. Positions come from datasets alone, so many orders use no geocoder. */
  readonly byCardInBulk: CardPrice;
  readonly terms: CustomerTermsQueries;
  /** Whether the log contains the order. */
  readonly orderExists: (orderId: number) => Promise<boolean>;
}

export function connectPrices(
  { database, types, of, config: { routing }, engines: { log, pool, limits } }: AreaContext,
  warehouses: Pick<WarehouseQueries, 'byId' | 'byDefault'>,
): ConnectedPrices {
  const { osrmUrl: url, osrmTableSize: tableSize, roadFactorPercent } = routing;
  const defaultRoadFactor = String(roadFactorPercent / 100);
  const { geocode } = of(datasets);
  const cards = createCards(createRateCardQueries({ database, log, types }));
  const terms = createCustomerTermsQueries(database);
  const roadDistance = createRoadDistance(url === undefined ? undefined : new Osrm({ url, tableSize }));
  const inputsOf = createPricedInputs({ warehouses, geocode, roadDistance });
  const inputsInBulk = createPricedInputs({ warehouses, geocode: geocode.fromDatasets, roadDistance });
  const orderExists = (orderId: number): Promise<boolean> => hasEvents(log, orderStream(orderId));
  return {
    quoted: createAgreedPrices({
      reservations: createQuoteReservations({ quotes: createQuotes(pool, limits), orderExists }),
      inputsOf,
      async roadFactorOf({ rate_card_id, card_version, business }) {
        if (rate_card_id === null || card_version === null) return undefined;
        const card = await cards.ofVersion(rate_card_id, card_version, business);
        return card && roadFactorOf(card.compiled, defaultRoadFactor);
      },
      settlementOf: createSettlementOf(terms),
    }),
    byCard: createCardPrice(createPricer({ cards, terms, inputsOf, defaultRoadFactor })),
    byCardInBulk: createCardPrice(createPricer({ cards, terms, inputsOf: inputsInBulk, defaultRoadFactor })),
    terms,
    orderExists,
  };
}
