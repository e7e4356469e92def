/**
 * The price of a new order, and its payment: at a quote, or for a customer by the rate card in force. The wallet pays at
 * once if the request or the terms of the customer say so.
 */
import type { Agreed } from '../../../commands/bill/command.js';
import type { Settle } from '../../../commands/bill/settling.js';
import type { Cause, Handled } from '../../../commands/core/handle.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { ORDER_FAMILY } from '../../../commands/orders/billing.js';
import type { CommandTo, OrderReply } from '../../../commands/orders/command.js';
import { compare, isPositive } from '../../../events/core/money.js';
import { derivedId } from '../../../events/otep/identity.js';
import {
  NO_PRICING_TERMS,
  type CustomerTermsQueries,
  type PricingTerms,
} from '../../../projections/customer-terms/read-model.js';
import { ApiError, explainedError, fieldError, invalidField, type ErrorCode } from '../../core/errors.js';
import { refusedPayment } from '../bills/refused-payment.js';
import type { AgreedPrices } from '../pricing/agreed-prices.js';
import type { CardPrice } from '../pricing/card-price.js';
import type { RateInput } from '../pricing/rate-input.js';
import type { OrderInput } from './input.js';
import type { Placer } from './placer.js';

export interface PricedOrder {
  readonly input: Pick<OrderInput, 'rate_id' | 'pay' | 'expected_price'>;
  readonly shipment: RateInput;
  readonly customerId: number | undefined;
  readonly placer: Placer;
  readonly orderId: number;
  readonly commandId: string;
  readonly cause: Cause;
  /** Now, in milliseconds since 1970. */
  readonly time: number;
}

type Price = Pick<CommandTo<'create'>, 'agreed' | 'payment'>;

export interface NewOrderPricesOptions {
  readonly quoted: AgreedPrices;
  readonly byCard: CardPrice;
  /** For orders of batches and imports. */
  readonly byCardInBulk: CardPrice;
  readonly terms: Pick<CustomerTermsQueries, 'ofFamily'>;
  readonly settle: Pick<Settle, 'payment' | 'refusalOf'>;
  /** Whether the log contains the order: the request is repeated. */
  readonly orderExists: (orderId: number) => Promise<boolean>;
}

/** Without a price for these reasons, the order has none until the office sets it. */
export const UNPRICED: ReadonlySet<ErrorCode> = new Set([
  'DIMENSIONS_NEEDED',
  'INVALID_INPUT',
  'WAREHOUSE_NOT_FOUND',
  'MATRIX_UNAVAILABLE',
]);

export type NewOrderPrices = ReturnType<typeof createNewOrderPrices>;

export function createNewOrderPrices(options: NewOrderPricesOptions) {
  const { quoted, byCard, byCardInBulk, terms, settle, orderExists } = options;

  const termsOf = async (customerId: number | undefined): Promise<PricingTerms> =>
    customerId === undefined ? NO_PRICING_TERMS : terms.ofFamily(customerId, ORDER_FAMILY);

  /** The price by the rate card. Undefined: there is none, and the request does not need one. */
  async function cardPrice(order: PricedOrder, { hidden }: PricingTerms): Promise<Agreed | undefined> {
    const { shipment, customerId = null, placer, time } = order;
    const { business, timezone } = placer;
    const of = { business, timezone, family: ORDER_FAMILY, customerId, time };
    const charges = await (placer.isBulk ? byCardInBulk : byCard)(shipment, of).catch((error: unknown) => {
      if (needsPrice(order) || !(error instanceof ApiError) || !UNPRICED.has(error.code)) throw error;
      return undefined;
    });
    return charges && { charges, settlement: hidden ? 'offline' : 'online' };
  }

  /** Reserves the quote, if there is one. */
  async function agreedFor(order: PricedOrder, own: PricingTerms): Promise<Agreed | undefined> {
    const { input, shipment, customerId, placer, orderId, cause, time } = order;
    if (input.rate_id === undefined) return customerId === undefined ? undefined : cardPrice(order, own);
    const isDryRun = cause.dryRun !== undefined;
    const at = { rateId: input.rate_id, orderId, customerId, family: ORDER_FAMILY, isDryRun, time };
    return quoted.agree(shipment, { ...placer, ...at });
  }

  /** Throws NOT_PRICED and PRICE_CHANGED. */
  async function expectPrice({ input, orderId }: PricedOrder, agreed: Agreed | undefined): Promise<void> {
    const { expected_price: expected, pay } = input;
    if (expected === undefined && pay !== 'now') return;
    const charges = agreed?.charges;
    if (charges && (expected === undefined || compare(expected, charges.total) === 0)) return;
    // The price of a repeated request was checked before, and the card may have changed since.
    if (await orderExists(orderId)) return;
    if (!charges) throw new DomainError('NOT_PRICED');
    throw new DomainError('PRICE_CHANGED', { remaining_amount: charges.total, currency: charges.currency });
  }

  /** Throws INSUFFICIENT_FUNDS, WALLET_FROZEN and NO_WALLET_IN_CURRENCY. */
  async function expectFunds({ orderId, placer, cause }: PricedOrder, payment: Paid): Promise<void> {
    const order = { orderId, business: placer.business, family: ORDER_FAMILY };
    const { paymentId: payment_id, accountId: account_id, amount, currency } = payment;
    try {
      const refusal = await settle.refusalOf(order, { payment_id, account_id, amount, currency }, cause);
      if (refusal) throw refusedPayment(refusal, currency);
    } catch (error) {
      // The payment of a repeated request may have spent the money.
      if (!(error instanceof DomainError) || !(await orderExists(orderId))) throw error;
    }
  }

  /** Takes the amount from the wallet. If that fails, the order is held. */
  async function settled(order: PricedOrder, paymentId: string, handled: Handled<OrderReply>) {
    const { orderId, placer, cause } = order;
    const { bill } = handled.reply;
    const payment = bill.payments.find(({ id }) => id === paymentId);
    if (!payment || payment.account_id === undefined || cause.dryRun) return handled;
    const { reply, position } = await settle.payment(
      { orderId, business: placer.business, family: ORDER_FAMILY },
      { payment_id: paymentId, amount: payment.amount, currency: bill.currency, account_id: payment.account_id },
      cause,
    );
    return { ...handled, reply, position: position ?? handled.position };
  }

  /**
   * Creates the order with its price and payment. Throws the errors of quotes, payments and prices; then nothing was
   * created.
   */
  return async (order: PricedOrder, create: (price: Price) => Promise<Handled<OrderReply>>) => {
    const { customerId, orderId, commandId, input, cause } = order;
    const own = await termsOf(customerId);
    const pays = paymentBy(order, own);
    const agreed = await agreedFor(order, own);
    try {
      await expectPrice(order, agreed);
      if (!agreed) return await create(mustPrepay(order, own) ? { payment: { from: 'awaited' } } : {});
      if (!pays || customerId === undefined || !isPositive(agreed.charges.total)) return await create({ agreed });
      if (pays === 'awaited') return await create({ agreed, payment: { from: pays } });
      const payment = { from: pays, paymentId: derivedId('payment', orderId, commandId), accountId: customerId };
      const { total: amount, currency } = agreed.charges;
      await expectFunds(order, { ...payment, amount, currency });
      return await settled(order, payment.paymentId, await create({ agreed, payment }));
    } catch (error) {
      if (input.rate_id !== undefined && !cause.dryRun && isRejection(error))
        await quoted.release(input.rate_id, orderId);
      throw error;
    }
  };
}

interface Paid {
  readonly paymentId: string;
  readonly accountId: number;
  readonly amount: string;
  readonly currency: string;
}

/** The request refers to the price, so it is refused if there is none. */
const needsPrice = ({ input }: PricedOrder): boolean => input.pay === 'now' || input.expected_price !== undefined;

/**
 * Whether the customer must pay its order before it is dispatched. Otherwise a customer could order without payment by
 * omitting a measure that the price needs.
 */
const mustPrepay = ({ placer: { isCustomer } }: PricedOrder, { hidden, payment_terms }: PricingTerms): boolean =>
  isCustomer && payment_terms === 'wallet_on_create' && !hidden;

/**
 * How the order is paid. Undefined: later. Staff spend the balance of a customer only if its terms say so. A customer
 * whose terms require payment at once can order without, but then the order waits.
 *
 * Throws PRICE_HIDDEN and PRICE_HIDDEN_SETTLE_OFFLINE for customers who do not see the price, and FORBIDDEN for staff.
 */
function paymentBy(
  { input: { pay, expected_price }, customerId, placer: { isCustomer } }: PricedOrder,
  { hidden, payment_terms }: PricingTerms,
): 'wallet' | 'awaited' | undefined {
  if (pay === 'now' && customerId === undefined) throw invalidField('REQUIRED', 'customer_id');
  if (hidden && pay === 'now') throw new ApiError('PRICE_HIDDEN_SETTLE_OFFLINE');
  if (hidden && isCustomer && expected_price !== undefined)
    throw fieldError('PRICE_HIDDEN', 'expected_price', { field: 'expected_price' });
  const isRequired = payment_terms === 'wallet_on_create' && !hidden;
  if (pay === 'now' && !isCustomer && !isRequired) throw explainedError('FORBIDDEN', 'PAYS_BY_CUSTOMER', 'pay');
  if (pay === 'now' || (pay === undefined && isRequired)) return 'wallet';
  return pay === 'later' && isRequired && isCustomer ? 'awaited' : undefined;
}

/** Whether nothing was written. Other errors leave it open. */
export const isRejection = (error: unknown): boolean => error instanceof ApiError || error instanceof DomainError;
