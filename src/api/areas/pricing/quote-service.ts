/** Prices a shipment for a customer, and stores the quotes. */
import { createHash, randomUUID } from 'node:crypto';
import type { ServicePrice } from '../../../events/pricing/outcome.js';
import { DEFAULT_QUOTE_VALID_MINUTES } from '../../../events/pricing/card.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import { canonical } from '../../../events/tree/canonical.js';
import type { Quotes, StoredQuote } from '../../../engines/postgres/quotes.js';
import type { PricingCard } from './cards.js';
import type { PricedFor, Pricer, Refused } from './pricer.js';
import { rateId, REPEAT_MS } from './rate-ids.js';
import type { RateInput } from './rate-input.js';

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

/** Orders of the same shipment within a minute that get derived ids; further ones get random ids. */
const MAX_REPEATED = 8;

/** A quote, and its possible ids: the first one that no order has used counts. */
interface NewQuote {
  readonly quote: StoredQuote;
  readonly ids: readonly string[];
}

export type QuoteService = ReturnType<typeof createQuoteService>;

export function createQuoteService({ priced, quotes, key }: QuoteServiceOptions) {
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
