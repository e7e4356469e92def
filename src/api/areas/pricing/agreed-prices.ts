/** The price of a new order at a quote. A quote leads to at most one order. */
import { isDeepStrictEqual } from 'node:util';
import type { Agreed, Charges } from '../../../commands/bill/command.js';
import type { Card } from '../../../events/pricing/card.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import type { ServicePrice } from '../../../events/pricing/outcome.js';
import { isPriced, type PricedQuote, type StoredQuote } from '../../../engines/postgres/quotes.js';
import { ApiError } from '../../core/errors.js';
import type { PricedInputs, Requested } from './priced-inputs.js';
import { quoteMismatch, type OrderOfQuote, type QuoteReservations } from './quote-reservations.js';
import type { RateInput } from './rate-input.js';
import type { SettlementOf } from './settlement.js';

export interface AgreedPricesOptions {
  readonly reservations: QuoteReservations;
  readonly inputsOf: PricedInputs;
  /** The ratio of road to straight-line distance for a quote; undefined: its card has no prices by distance. */
  readonly roadFactorOf: (quote: StoredQuote) => Promise<string | undefined>;
  readonly settlementOf: SettlementOf;
}

/** The order that is placed at a quote. */
export interface OrderAtRate extends Requested, OrderOfQuote {}

export type AgreedPrices = ReturnType<typeof createAgreedPrices>;

export function createAgreedPrices({ reservations, inputsOf, roadFactorOf, settlementOf }: AgreedPricesOptions) {
  /**
   * Checks that the quote is for this shipment, and reserves it for the order. Throws RATE_NOT_FOUND, RATE_USED,
   * QUOTE_EXPIRED, QUOTE_MISMATCH.
   */
  async function agree(shipment: RateInput, order: OrderAtRate): Promise<Agreed> {
    const quote = await reservations.take(order, (found) => mustMatch(found, shipment, order));
    if (!isPriced(quote)) throw new ApiError('RATE_NOT_FOUND');
    return { charges: chargesOf(quote), settlement: await settlementOf(order.customerId, order.family) };
  }

  async function mustMatch(quote: StoredQuote, shipment: RateInput, order: OrderAtRate): Promise<void> {
    const quoted = quote.inputs as PriceInputs;
    const roadFactor = quoted.distance_km === undefined ? undefined : await roadFactorOf(quote);
    const inputs = await inputsOf(shipment, { ...order, markupPercent: null, roadFactor });
    const fields = differences(quoted, inputs, shipment);
    if ((quote.customer_id ?? undefined) !== order.customerId) fields.push('customer_id');
    if (fields.length > 0) throw quoteMismatch(fields);
  }

  return { agree, release: reservations.release };
}

/** The fields of the order that differ from the shipment of the quote. */
function differences(quoted: PriceInputs, ordered: PriceInputs, { type }: RateInput): string[] {
  const [from, to] = type === 'P' ? ['pickup', 'warehouse_id'] : [type === 'D' ? 'warehouse_id' : 'pickup', 'delivery'];
  const sizes = (inputs: PriceInputs) => inputs.packages.map(({ declared_value: _value, ...size }) => size);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    [from!, quoted.from, ordered.from],
    [to!, quoted.to, ordered.to],
    ['packages', sizes(quoted), sizes(ordered)],
    ['schedule_date', quoted.schedule_date, ordered.schedule_date],
    ['time_windows', quoted.window, ordered.window],
  ];
  const fields = pairs.filter(([, before, now]) => !isDeepStrictEqual(before, now)).map(([field]) => field);
  // Streets are not compared, so only the distance shows that a stop is at another place in the same area.
  return fields.length > 0 || isSameDistance(quoted, ordered) ? fields : [from!, to!];
}

/** Positions are rounded, so distances between the same stops may differ a little. */
const TOLERANCE_KM = 0.5;

const isSameDistance = ({ distance_km: quoted }: PriceInputs, { distance_km: ordered }: PriceInputs): boolean =>
  quoted === undefined || (ordered !== undefined && Math.abs(quoted - ordered) <= TOLERANCE_KM);

const chargesOf = (quote: PricedQuote): Charges =>
  chargesAt(quote.outcome as ServicePrice, {
    currency: quote.currency,
    rateId: quote.rate_id,
    rateCardId: quote.rate_card_id,
    cardVersion: quote.card_version,
    inputs: quote.inputs as PriceInputs,
    cancellationFee: (quote.cancellation_fee ?? undefined) as Card['cancellation_fee'],
  });

/** What a price was calculated from. */
export interface PricedFrom {
  readonly currency: string;
  readonly rateId?: string;
  readonly rateCardId: number;
  readonly cardVersion: number;
  readonly inputs: PriceInputs;
  readonly cancellationFee: Card['cancellation_fee'];
}

/** The charges of an order at the price of a service. */
export const chargesAt = (service: ServicePrice, from: PricedFrom): Charges => ({
  currency: from.currency,
  lines: service.lines.map((line) => ({ ...line })),
  subtotal: service.subtotal,
  surchargeAmount: service.surcharge_amount,
  taxAmount: service.tax_amount,
  total: service.total,
  source: {
    ...(from.rateId !== undefined && { rate_id: from.rateId }),
    rate_card_id: from.rateCardId,
    card_version: from.cardVersion,
    service_code: service.service_code,
    inputs: from.inputs,
    ...(from.cancellationFee && { cancellation_fee: from.cancellationFee }),
  },
});
