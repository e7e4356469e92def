/** The price of a new order at a quote. A quote leads to at most one order. */
import { isDeepStrictEqual } from 'node:util';
import type { Agreed, Charges } from '../../../commands/bill/command.js';
import type { Card } from '../../../events/pricing/card.js';
import type { PriceInputs } from '../../../events/pricing/inputs.js';
import type { Family } from '../../../events/pricing/families.js';
import type { ServicePrice } from '../../../events/pricing/outcome.js';
import type { Quotes, StoredQuote } from '../../../engines/postgres/quotes.js';
import { ApiError } from '../../core/errors.js';
import type { PricedInputs, Requested } from './priced-inputs.js';
import type { RateInput } from './rate-input.js';
import type { SettlementOf } from './settlement.js';

export interface AgreedPricesOptions {
  readonly quotes: Quotes;
  readonly inputsOf: PricedInputs;
  /** The ratio of road to straight-line distance for a quote; undefined: its card has no prices by distance. */
  readonly roadFactorOf: (quote: StoredQuote) => Promise<string | undefined>;
  readonly settlementOf: SettlementOf;
  /** Whether the log contains the order. */
  readonly orderExists: (orderId: number) => Promise<boolean>;
}

/** The order that is placed at a quote. */
export interface OrderAtRate extends Requested {
  readonly rateId: string;
  readonly orderId: number;
  readonly family: Family;
  readonly customerId: number | undefined;
  /** Customers can use only their own quotes. */
  readonly isCustomer: boolean;
  /** False: nothing is reserved. */
  readonly isDryRun: boolean;
}

export type AgreedPrices = ReturnType<typeof createAgreedPrices>;

export function createAgreedPrices({ quotes, inputsOf, roadFactorOf, settlementOf, orderExists }: AgreedPricesOptions) {
  /**
   * Checks that the quote is for this shipment, and reserves it for the order. Throws RATE_NOT_FOUND, RATE_USED,
   * QUOTE_EXPIRED, QUOTE_MISMATCH.
   */
  async function agree(shipment: RateInput, order: OrderAtRate): Promise<Agreed> {
    const { rateId, business, customerId, family, isCustomer, orderId, time } = order;
    const quote = await quotes.find(rateId, business);
    if (quote?.family !== family || (isCustomer && quote.customer_id !== customerId))
      throw new ApiError('RATE_NOT_FOUND');
    // A repeated request finds its own reservation. It was checked before, and the answer must not change since.
    const isRepeated = quote.used_by === orderId;
    if (!isRepeated && quote.used_by === null && quote.valid_until.getTime() <= time)
      throw new ApiError('QUOTE_EXPIRED');
    if (!isRepeated) await mustMatch(quote, shipment, order);
    if (!order.isDryRun) await reserve(order);
    else if (quote.used_by !== null) throw rateUsed(quote.used_by);
    return { charges: chargesOf(quote), settlement: await settlementOf(customerId, family) };
  }

  async function mustMatch(quote: StoredQuote, shipment: RateInput, order: OrderAtRate): Promise<void> {
    const quoted = quote.inputs as PriceInputs;
    const roadFactor = quoted.distance_km === undefined ? undefined : await roadFactorOf(quote);
    const inputs = await inputsOf(shipment, { ...order, markupPercent: null, roadFactor });
    const fields = differences(quoted, inputs, shipment);
    if ((quote.customer_id ?? undefined) !== order.customerId) fields.push('customer_id');
    if (fields.length === 0) return;
    throw new ApiError('QUOTE_MISMATCH', {
      params: { fields: fields.join(', ') },
      errors: fields.map((field) => ({ field, path: `/${field}`, code: 'QUOTE_MISMATCH', params: { fields: field } })),
    });
  }

  /** A reservation of a process that ended before it created its order can be taken over. */
  async function reserve({ rateId, business, orderId }: OrderAtRate): Promise<void> {
    const other = await quotes.claim(rateId, { business, orderId });
    if (!other) return;
    if (other.isOld && !(await orderExists(other.order_id))) {
      const next = await quotes.claim(rateId, { business, orderId, instead: other.order_id });
      if (!next) return;
    }
    throw rateUsed(other.order_id);
  }

  return {
    agree,
    /** Ends the reservation for an order that could not be created. */
    async release(rateId: string, orderId: number): Promise<void> {
      if (!(await orderExists(orderId))) await quotes.release(rateId, orderId);
    },
  };
}

const rateUsed = (order_id: number): ApiError =>
  new ApiError('RATE_USED', { params: { order_id }, members: { order_id } });

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

const chargesOf = (quote: StoredQuote): Charges =>
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
