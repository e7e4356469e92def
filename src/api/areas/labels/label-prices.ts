/**
 * Prices the offers of carriers. The base price is the cost; the rate card adds surcharges, markup and taxes. The card
 * is that of the customer, otherwise that of the method, otherwise the default card of the business.
 */
import type { CompiledCard } from '../../../commands/pricing/compile.js';
import type { Family } from '../../../events/pricing/families.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import type { ServicePrice } from '../../../events/pricing/outcome.js';
import type { CarrierShipment } from '../../../engines/outside/carriers/shipment.js';
import {
  NO_PRICING_TERMS,
  type CustomerTermsQueries,
  type PricingTerms,
} from '../../../projections/customer-terms/read-model.js';
import { ApiError } from '../../core/errors.js';
import type { Cards, PricingCard } from '../pricing/cards.js';
import { pricedServices } from '../pricing/pricer.js';
import type { Offer } from './ask-carriers.js';
import type { RatedMethod } from './rated-account.js';
import { cardOptions, labelPriceInputs } from './rated-shipment.js';

export const LABEL_FAMILY: Family = 'label_service';

/** For whom the price is. */
export interface LabelPriceFor {
  readonly business: number;
  readonly timezone: string;
  readonly customerId: number | null;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** `price`: absent if no rate card applies. */
export interface PricedOffer extends Offer {
  readonly inputs: PriceInputs;
  readonly price?: { readonly service: ServicePrice; readonly card: PricingCard };
}
export interface RefusedOffer extends Offer {
  /** A refusal of the card, `CURRENCY_MISMATCH`, `DIMENSIONS_NEEDED` or `SERVICE_RESTRICTED`. */
  readonly refused: string;
}

export interface LabelPricesOptions {
  readonly cards: Pick<Cards, 'applying'>;
  readonly terms: Pick<CustomerTermsQueries, 'ofFamily'>;
}

export type LabelPrices = (
  offers: readonly Offer[],
  shipment: CarrierShipment,
  of: LabelPriceFor,
) => Promise<readonly (PricedOffer | RefusedOffer)[]>;

export function createLabelPrices({ cards, terms }: LabelPricesOptions): LabelPrices {
  return async (offers, shipment, of) => {
    const { business, customerId, time } = of;
    const own = customerId === null ? NO_PRICING_TERMS : await terms.ofFamily(customerId, LABEL_FAMILY);
    const found = new Map<number | null, Promise<PricingCard | undefined>>();
    const cardOf = (method: RatedMethod): Promise<PricingCard | undefined> => {
      const customerCard = own.rate_card_id ?? method.markup_card ?? null;
      const card = found.get(customerCard) ?? cards.applying({ business, family: LABEL_FAMILY, customerCard }, time);
      found.set(customerCard, card);
      return card;
    };
    return Promise.all(offers.map(async (offer) => priced(offer, await cardOf(offer.method), { shipment, own, of })));
  };
}

interface Terms {
  readonly shipment: CarrierShipment;
  readonly own: PricingTerms;
  readonly of: LabelPriceFor;
}

function priced(offer: Offer, card: PricingCard | undefined, { shipment, own, of }: Terms): PricedOffer | RefusedOffer {
  const { method, rate } = offer;
  const allows = (code: string): boolean => own.service_codes?.includes(code) ?? true;
  const inputs = labelPriceInputs(shipment, {
    cost: rate.cost,
    timezone: of.timezone,
    time: of.time,
    markupPercent: own.markup_percent,
    customerTags: own.tags,
  });
  if (card?.row.family !== LABEL_FAMILY) return allows(method.code) ? { ...offer, inputs } : restricted(offer);
  const { currency } = card.row;
  const currencies = [rate.currency, ...shipment.packages.flatMap((one) => one.currency ?? [])];
  if (currencies.some((one) => one !== currency)) return { ...offer, refused: 'CURRENCY_MISMATCH' };
  try {
    const asked = { ...inputs, ...forService(card.compiled, method.code, shipment) };
    const { services, refused } = pricedServices(card.compiled, asked);
    const service = services.find(({ service_code }) => allows(method.code) || allows(service_code));
    if (service) return { ...offer, inputs: asked, price: { service, card } };
    return services.length > 0 ? restricted(offer) : { ...offer, refused: refused[0]?.code ?? 'NOT_SERVED' };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'DIMENSIONS_NEEDED') return { ...offer, refused: error.code };
    throw error;
  }
}

const restricted = (offer: Offer): RefusedOffer => ({ ...offer, refused: 'SERVICE_RESTRICTED' });

/**
 * A service of the card with the code of the method applies to this method alone; otherwise all services apply, and the
 * first one counts. Options that the card does not list cost what the carrier charges for them, so they are omitted.
 */
function forService({ services }: CompiledCard, code: string, { options }: CarrierShipment) {
  const own = services.get(code);
  const listed = new Set((own ? [own] : [...services.values()]).flatMap((service) => [...service.options]));
  const asked = cardOptions(options).filter((option) => listed.has(option));
  return { ...(own && { service_codes: [code] }), ...(asked.length > 0 && { options: asked }) };
}
