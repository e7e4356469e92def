/** Quotes for rates of carriers. */
import { createHash } from 'node:crypto';
import { DEFAULT_QUOTE_VALID_MINUTES } from '../../../events/pricing/card.js';
import { compact } from '../../../events/core/compact.js';
import { canonical } from '../../../events/tree/canonical.js';
import type { CarrierOffer, StoredQuote } from '../../../engines/postgres/quotes.js';
import type { CarrierShipment } from '../../../engines/outside/carriers/shipment.js';
import type { NewQuote } from '../pricing/store-quotes.js';
import { LABEL_FAMILY, type LabelPriceFor, type PricedOffer } from './label-prices.js';
import { ratedShipment } from './rated-shipment.js';

export interface LabelQuoteFor extends LabelPriceFor {
  readonly userId: number;
}
export type LabelQuote = StoredQuote & { readonly carrier: CarrierOffer };

export const isLabelQuote = (quote: StoredQuote): quote is LabelQuote =>
  quote.family === LABEL_FAMILY && quote.carrier !== null;

const MINUTE_MS = 60_000;

/** `orderId`: of the order that uses the quote at once; no other request gets the same quote. */
export function toLabelQuote(
  { account, method, rate, inputs, price }: PricedOffer,
  shipment: CarrierShipment,
  { business, customerId, userId, time }: LabelQuoteFor,
  orderId?: number,
): NewQuote {
  const carrier: CarrierOffer = compact({
    account_id: account.id,
    method_id: method.method_id,
    method_code: method.code,
    method_name: method.name,
    carrier: method.carrier,
    cost: rate.cost,
    delivery_days: rate.delivery_days,
    delivery_date: rate.delivery_date,
    guaranteed: rate.guaranteed,
    shipment: ratedShipment(shipment),
  });
  const { requested: _requested, ...priced } = inputs;
  const inputs_digest = createHash('sha256')
    .update(canonical({ priced, carrier } as never))
    .digest('hex');
  const validMinutes = price?.card.compiled.card.quote_valid_minutes ?? DEFAULT_QUOTE_VALID_MINUTES;
  return {
    quote: {
      business,
      customer_id: customerId,
      quoted_by: userId,
      family: LABEL_FAMILY,
      service_code: method.code,
      rate_card_id: price?.card.row.id ?? null,
      card_version: price?.card.version.version ?? null,
      inputs,
      inputs_digest,
      currency: rate.currency,
      total: price?.service.total ?? null,
      outcome: price?.service ?? null,
      cancellation_fee: null,
      carrier,
      created_at: new Date(time),
      valid_until: new Date(time + validMinutes * MINUTE_MS),
    },
    parts: [
      LABEL_FAMILY,
      business,
      customerId,
      userId,
      inputs_digest,
      price?.card.version.digest ?? null,
      price?.card.row.id ?? null,
      orderId ?? null,
    ],
  };
}
