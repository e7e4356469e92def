/** Prices a shipment for a customer, and stores the quotes. */
import { createHash, randomUUID } from 'node:crypto';
import type { CompiledCard } from '../../../commands/pricing/compile.js';
import { DimensionsNeeded } from '../../../commands/pricing/parcel.js';
import { price } from '../../../commands/pricing/price.js';
import type { Refusal, ServicePrice } from '../../../events/pricing/outcome.js';
import { DEFAULT_QUOTE_VALID_MINUTES } from '../../../events/pricing/card.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import type { Family } from '../../../events/pricing/families.js';
import { canonical } from '../../../events/tree/canonical.js';
import type { Quotes, StoredQuote } from '../../../engines/postgres/quotes.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import { NO_TERMS } from '../../../projections/customer-terms/read-model.js';
import { fieldError } from '../../core/errors.js';
import type { Cards, PricingCard } from './cards.js';
import type { PricedInputs } from './priced-inputs.js';
import { rateId, REPEAT_MS } from './rate-ids.js';
import type { RateInput } from './rate-input.js';

/** For whom the price is. `time`: now, in milliseconds since 1970. */
export interface PricedFor {
  readonly business: number;
  readonly timezone: string;
  readonly family: Family;
  readonly customerId: number | null;
  readonly time: number;
}
export interface QuoteFor extends PricedFor {
  readonly userId: number;
}

/** Why a service, or the whole family (`service_code` null), cannot be priced. */
export interface Refused {
  readonly service_code: string | null;
  readonly code: Refusal | 'NO_CARD' | 'ADDRESS_INCOMPLETE';
}
/** `from`: what the prices were calculated from; undefined: nothing could be priced. */
export interface Priced {
  readonly services: readonly ServicePrice[];
  readonly refused: readonly Refused[];
  readonly from?: { readonly card: PricingCard; readonly inputs: PriceInputs };
}
export interface Quoted {
  readonly quotes: readonly StoredQuote[];
  readonly refused: readonly Refused[];
}

export interface QuoteServiceOptions {
  readonly cards: Cards;
  readonly terms: Pick<CustomerTermsQueries, 'ofFamily'>;
  readonly inputsOf: PricedInputs;
  readonly quotes: Quotes;
  /** Ratio of road to straight-line distance for cards without their own. */
  readonly defaultRoadFactor: string;
  /** 32 secret bytes. */
  readonly key: Buffer;
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

/** Digest of the priced shipment, without the time of the request. */
const digestOf = ({ requested: _requested, ...priced }: PriceInputs): string =>
  createHash('sha256').update(canonical(priced)).digest('hex');

/** Orders of the same shipment within a minute that get derived ids; further ones get random ids. */
const MAX_REPEATED = 8;

/** A quote, and its possible ids: the first one that no order has used counts. */
interface NewQuote {
  readonly quote: StoredQuote;
  readonly ids: readonly string[];
}

export type QuoteService = ReturnType<typeof createQuoteService>;

export function createQuoteService({ cards, terms, inputsOf, quotes, defaultRoadFactor, key }: QuoteServiceOptions) {
  /** The prices of all services, without quotes. `card`: undefined if no card applies. */
  async function priced(input: RateInput, of: PricedFor): Promise<Priced> {
    const { business, family, customerId, time } = of;
    const own = customerId === null ? NO_TERMS : await terms.ofFamily(customerId, family);
    const card = await cards.applying({ business, family, customerCard: own.rate_card_id }, time);
    if (!card || (input.currency !== undefined && input.currency !== card.row.currency))
      return { services: [], refused: [{ service_code: null, code: 'NO_CARD' }] };
    const roadFactor = roadFactorOf(card.compiled, defaultRoadFactor);
    const inputs = await inputsOf(input, { ...of, markupPercent: own.markup_percent, roadFactor });
    if (roadFactor !== undefined && inputs.distance_km === undefined)
      return { services: [], refused: [{ service_code: null, code: 'ADDRESS_INCOMPLETE' }] };
    return { ...pricedServices(card.compiled, inputs), from: { card, inputs } };
  }

  /** Quotes for the services that have a price. */
  async function quote(input: RateInput, of: QuoteFor): Promise<Quoted> {
    const { services, refused, from } = await priced(input, of);
    const made = from ? services.map((service) => toQuote(service, { ...from, of })) : [];
    return { quotes: await stored(made, of), refused };
  }

  function toQuote(
    outcome: ServicePrice,
    { card: { row, version, compiled }, inputs, of }: { card: PricingCard; inputs: PriceInputs; of: QuoteFor },
  ): NewQuote {
    const inputs_digest = digestOf(inputs);
    const validMinutes = compiled.card.quote_valid_minutes ?? DEFAULT_QUOTE_VALID_MINUTES;
    const parts = [of.business, of.customerId, of.userId, inputs_digest, version.digest, outcome.service_code];
    const minute = Math.floor(of.time / REPEAT_MS);
    const [first, ...next] = Array.from({ length: MAX_REPEATED }, (_, n) => rateId(key, [...parts, minute, n]));
    const quote = {
      rate_id: first!,
      business: of.business,
      customer_id: of.customerId,
      quoted_by: of.userId,
      family: of.family,
      service_code: outcome.service_code,
      rate_card_id: row.id,
      card_version: version.version,
      inputs,
      inputs_digest,
      currency: row.currency,
      total: outcome.total,
      outcome,
      cancellation_fee: compiled.card.cancellation_fee ?? null,
      created_at: new Date(of.time),
      valid_until: new Date(of.time + validMinutes * 60_000),
      used_by: null,
    };
    return { quote, ids: [first!, ...next] };
  }

  /** Stores new quotes. Returns those of the same request within the last minute instead, where they are not used. */
  async function stored(made: readonly NewQuote[], { time }: QuoteFor): Promise<readonly StoredQuote[]> {
    const earlier = await quotes.recent(
      made.flatMap(({ ids }) => ids),
      new Date(time - REPEAT_MS),
    );
    const known = new Map(earlier.map((one) => [one.rate_id, one]));
    const all = made.map(({ quote, ids }) => {
      const rate_id = ids.find((id) => (known.get(id)?.used_by ?? null) === null) ?? rateId(key, [randomUUID()]);
      return known.get(rate_id) ?? { ...quote, rate_id };
    });
    await quotes.add(all.filter(({ rate_id }) => !known.has(rate_id)));
    return all;
  }

  return { priced, quote, find: quotes.find };
}
