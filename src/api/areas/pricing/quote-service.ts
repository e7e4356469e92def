/** Prices a shipment for a customer, and stores the quotes. */
import { createHash } from 'node:crypto';
import type { ServicePrice } from '../../../events/pricing/outcome.js';
import { DEFAULT_QUOTE_VALID_MINUTES } from '../../../events/pricing/card.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import { canonical } from '../../../events/tree/canonical.js';
import type { Quotes, StoredQuote } from '../../../engines/postgres/quotes.js';
import type { PricingCard } from './cards.js';
import type { PricedFor, Pricer, Refused } from './pricer.js';
import type { RateInput } from './rate-input.js';
import { createStoreQuotes, type NewQuote } from './store-quotes.js';

export interface QuoteFor extends PricedFor {
  readonly userId: number;
}

export interface Quoted {
  readonly quotes: readonly StoredQuote[];
  readonly refused: readonly Refused[];
}

export interface QuoteServiceOptions {
  readonly priced: Pricer;
  readonly quotes: Quotes;
  /** 32 secret bytes. */
  readonly key: Buffer;
}

/** Digest of the priced shipment, without the time of the request. */
const digestOf = ({ requested: _requested, ...priced }: PriceInputs): string =>
  createHash('sha256').update(canonical(priced)).digest('hex');

export type QuoteService = ReturnType<typeof createQuoteService>;

export function createQuoteService({ priced, quotes, key }: QuoteServiceOptions) {
  const store = createStoreQuotes({ quotes, key });

  /** Quotes for the services that have a price. */
  async function quote(input: RateInput, of: QuoteFor): Promise<Quoted> {
    const { services, refused, from } = await priced(input, of);
    const made = from ? services.map((service) => toQuote(service, { ...from, of })) : [];
    return { quotes: await store(made, of.time), refused };
  }

  function toQuote(
    outcome: ServicePrice,
    { card: { row, version, compiled }, inputs, of }: { card: PricingCard; inputs: PriceInputs; of: QuoteFor },
  ): NewQuote {
    const inputs_digest = digestOf(inputs);
    const validMinutes = compiled.card.quote_valid_minutes ?? DEFAULT_QUOTE_VALID_MINUTES;
    const quote = {
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
      carrier: null,
      created_at: new Date(of.time),
      valid_until: new Date(of.time + validMinutes * 60_000),
    };
    return {
      quote,
      parts: [of.business, of.customerId, of.userId, inputs_digest, version.digest, outcome.service_code],
    };
  }

  return { priced, quote, find: quotes.find };
}
