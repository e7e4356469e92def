/** Reserves quotes for orders. A quote leads to at most one order. */
import type { Family } from '../../../events/pricing/families.js';
import type { Quotes, StoredQuote } from '../../../engines/postgres/quotes.js';
import { ApiError } from '../../core/errors.js';

/** The order that is placed at a quote. */
export interface OrderOfQuote {
  readonly rateId: string;
  readonly orderId: number;
  readonly business: number;
  readonly family: Family;
  readonly customerId: number | undefined;
  /** Customers can use only their own quotes. */
  readonly isCustomer: boolean;
  /** True: nothing is reserved. */
  readonly isDryRun: boolean;
  /** Now, in milliseconds since 1970. */
  readonly time: number;
}

export interface QuoteReservationsOptions {
  readonly quotes: Pick<Quotes, 'find' | 'claim' | 'release'>;
  /** Whether the log contains the order. */
  readonly orderExists: (orderId: number) => Promise<boolean>;
}

export type QuoteReservations = ReturnType<typeof createQuoteReservations>;

export function createQuoteReservations({ quotes, orderExists }: QuoteReservationsOptions) {
  /**
   * Reserves the quote. `mustMatch` throws if the quote is for another shipment. Throws RATE_NOT_FOUND, RATE_USED and
   * QUOTE_EXPIRED.
   */
  async function take(
    order: OrderOfQuote,
    mustMatch: (quote: StoredQuote) => Promise<void> | void,
  ): Promise<StoredQuote> {
    const { rateId, business, customerId, family, isCustomer, orderId, time } = order;
    const quote = await quotes.find(rateId, business);
    if (quote?.family !== family || (isCustomer && quote.customer_id !== customerId))
      throw new ApiError('RATE_NOT_FOUND');
    // A repeated request finds its own reservation. The quote was checked before, and the result must not change
    // afterwards.
    const isRepeated = quote.used_by === orderId;
    if (!isRepeated && quote.used_by === null && quote.valid_until.getTime() <= time)
      throw new ApiError('QUOTE_EXPIRED');
    if (!isRepeated) await mustMatch(quote);
    if (!order.isDryRun) await reserve(order);
    else if (quote.used_by !== null) throw rateUsed(quote.used_by);
    return quote;
  }

  /** A reservation of a process that ended before it created its order can be taken over. Throws RATE_USED. */
  async function reserve({
    rateId,
    business,
    orderId,
  }: Pick<OrderOfQuote, 'rateId' | 'business' | 'orderId'>): Promise<void> {
    const other = await quotes.claim(rateId, { business, orderId });
    if (!other) return;
    if (other.isOld && !(await orderExists(other.order_id))) {
      const next = await quotes.claim(rateId, { business, orderId, instead: other.order_id });
      if (!next) return;
    }
    throw rateUsed(other.order_id);
  }

  return {
    take,
    reserve,
    /** Ends the reservation for an order that could not be created. */
    async release(rateId: string, orderId: number): Promise<void> {
      if (!(await orderExists(orderId))) await quotes.release(rateId, orderId);
    },
  };
}

const rateUsed = (order_id: number): ApiError =>
  new ApiError('RATE_USED', { params: { order_id }, members: { order_id } });

/** The quote is for another shipment. `fields`: the members of the order that differ. */
export const quoteMismatch = (fields: readonly string[]): ApiError =>
  new ApiError('QUOTE_MISMATCH', {
    params: { fields: fields.join(', ') },
    errors: fields.map((field) => ({ field, path: `/${field}`, code: 'QUOTE_MISMATCH', params: { fields: field } })),
  });
