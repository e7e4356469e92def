/** Prices a shipment by the rate card in force and the terms of the customer. */
import type { CompiledCard } from '../../../commands/pricing/compile.js';
import { DimensionsNeeded } from '../../../commands/pricing/parcel.js';
import { price } from '../../../commands/pricing/price.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import type { Family } from '../../../events/pricing/families.js';
import type { Refusal, ServicePrice } from '../../../events/pricing/outcome.js';
import { NO_PRICING_TERMS, type CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import { fieldError } from '../../core/errors.js';
import type { Cards, PricingCard } from './cards.js';
import type { PricedInputs } from './priced-inputs.js';
import type { RateInput } from './rate-input.js';

/** For whom the price is. `time`: now, in milliseconds since 1970. */
export interface PricedFor {
  readonly business: number;
  readonly timezone: string;
  readonly family: Family;
  readonly customerId: number | null;
  readonly time: number;
}
/** Why a service, or the whole family (`service_code` null), cannot be priced. */
export interface Refused {
  readonly service_code: string | null;
  readonly code: Refusal | 'NO_CARD' | 'ADDRESS_INCOMPLETE' | 'SERVICE_RESTRICTED';
}
/** `from`: what the prices were calculated from; undefined: nothing could be priced. */
export interface Priced {
  readonly services: readonly ServicePrice[];
  readonly refused: readonly Refused[];
  readonly from?: { readonly card: PricingCard; readonly inputs: PriceInputs };
}

export interface PricerOptions {
  readonly cards: Cards;
  readonly terms: Pick<CustomerTermsQueries, 'ofFamily'>;
  readonly inputsOf: PricedInputs;
  /** Ratio of road to straight-line distance for cards that do not define the ratio. */
  readonly defaultRoadFactor: string;
}

/** The services with a price, and those without one. Throws DIMENSIONS_NEEDED. */
export function pricedServices(card: CompiledCard, inputs: PriceInputs) {
  const services: ServicePrice[] = [];
  const refused: Refused[] = [];
  try {
    for (const outcome of price(card, inputs))
      if ('refused' in outcome) refused.push({ service_code: outcome.service_code, code: outcome.refused });
      else services.push(outcome);
  } catch (error) {
    if (!(error instanceof DimensionsNeeded)) throw error;
    const path = `/packages/${error.package}`;
    throw fieldError('DIMENSIONS_NEEDED', 'packages', { package: error.package + 1 }, path);
  }
  return { services, refused };
}

/**
 * The ratio of road to straight-line distance of a card with prices by distance: its own, otherwise the default one.
 * Undefined: its prices do not depend on the distance.
 */
export const roadFactorOf = ({ card: { distance } }: CompiledCard, defaultFactor: string): string | undefined =>
  distance && (distance.road_factor ?? defaultFactor);

/** The prices of all services that the customer may order, without quotes. Throws DIMENSIONS_NEEDED. */
export type Pricer = (input: RateInput, of: PricedFor) => Promise<Priced>;

export function createPricer({ cards, terms, inputsOf, defaultRoadFactor }: PricerOptions): Pricer {
  return async (input, of) => {
    const { business, family, customerId, time } = of;
    const own = customerId === null ? NO_PRICING_TERMS : await terms.ofFamily(customerId, family);
    const { service_codes, restricted } = allowedServices(input.service_codes, own.service_codes);
    if (service_codes?.length === 0) return { services: [], refused: restricted };
    const card = await cards.applying({ business, family, customerCard: own.rate_card_id }, time);
    if (!card || (input.currency !== undefined && input.currency !== card.row.currency))
      return { services: [], refused: [{ service_code: null, code: 'NO_CARD' }] };
    const roadFactor = roadFactorOf(card.compiled, defaultRoadFactor);
    const inputs = await inputsOf(
      { ...input, service_codes },
      { ...of, markupPercent: own.markup_percent, customerTags: own.tags, roadFactor },
    );
    if (roadFactor !== undefined && inputs.distance_km === undefined)
      return { services: [], refused: [{ service_code: null, code: 'ADDRESS_INCOMPLETE' }] };
    const { services, refused } = pricedServices(card.compiled, inputs);
    return { services, refused: [...refused, ...restricted], from: { card, inputs } };
  };
}

/**
 * The requested services that the terms of the customer allow (undefined: all services), and a refusal for each other
 * one. Without a request, all allowed services are priced, and none is reported as refused.
 */
function allowedServices(requested: readonly string[] | undefined, allowed: readonly string[] | null) {
  const service_codes = requested?.filter((code) => !allowed || allowed.includes(code)) ?? allowed ?? undefined;
  const restricted = (requested ?? [])
    .filter((code) => allowed && !allowed.includes(code))
    .map((code): Refused => ({ service_code: code, code: 'SERVICE_RESTRICTED' }));
  return { service_codes: service_codes && [...service_codes], restricted };
}
