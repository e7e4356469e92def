/**
 * The price of an order after a change by its customer: by the rate card in force, if the change concerns a member that
 * prices depend on. Changes by staff do not use it, because staff set charges themselves.
 */
import type { ChangedPrice, OrderReply } from '../../../commands/orders/command.js';
import type { Agreed, Charges } from '../../../commands/bill/command.js';
import type { Settle } from '../../../commands/bill/settling.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { ORDER_FAMILY } from '../../../commands/orders/billing.js';
import { remainingAmount, type Bill } from '../../../events/bill/state.js';
import { compare, isPositive } from '../../../events/core/money.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { CustomerTermsQueries, PricingTerms } from '../../../projections/customer-terms/read-model.js';
import type { InvoiceQueries } from '../../../projections/invoices/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import type { CardPrice } from '../pricing/card-price.js';
import { UNPRICED } from './new-order-prices.js';
import { shipmentOf, type PricedMembers } from './shipment.js';

export interface ChangedPricesOptions {
  readonly byCard: CardPrice;
  readonly terms: Pick<CustomerTermsQueries, 'ofFamily'>;
  readonly settle: Pick<Settle, 'refusalOf'>;
  readonly invoices: Pick<InvoiceQueries, 'ofOrder'>;
}

/** An order that its customer changes. */
export interface ChangedOrder {
  /** The order as the read model has it, with the new delivery address of a reroute. */
  readonly order: PricedMembers & { readonly id: number };
  /** The changed order as the log has it, with the bill before the change. */
  readonly changed: Pick<OrderReply, 'schedule' | 'warehouse' | 'bill'>;
  /** Whether a member changes that prices depend on. */
  readonly isPriced: boolean;
  /** The order whose payment follows: the order, or its replacement. */
  readonly paidOrderId: number;
  /** The new price that the customer has seen. */
  readonly expectedPrice: string | undefined;
}

type PriceContext = Pick<Context, 'caller' | 'cause' | 'commandId' | 'time'>;
export type ChangedPrices = ReturnType<typeof createChangedPrices>;

export function createChangedPrices({ byCard, terms, settle, invoices }: ChangedPricesOptions) {
  /**
   * The price by the card in force. A quoted service stays; otherwise another service counts if the card has no price for
   * the present one. Undefined: there is no price, or the office has set the charges itself.
   */
  async function cardPrice({ order, changed }: ChangedOrder, context: PriceContext): Promise<Charges | undefined> {
    const { schedule, warehouse, bill } = changed;
    if (bill.version > 0 && !bill.source) return undefined;
    const { userId: customerId, timezone } = userOf(context.caller);
    const of = { business: businessOf(context.caller), timezone, family: ORDER_FAMILY, customerId, time: context.time };
    const shipment = {
      ...shipmentOf(
        {
          ...order,
          warehouse_id: warehouse ?? null,
          time_windows: [...schedule.time_windows],
          schedule_date: schedule.schedule_date ?? null,
        },
        bill.source?.service_code,
        of,
      ),
      // The payments keep their currency.
      currency: hasPayments(bill) ? bill.currency : undefined,
    };
    const priced = async (one: typeof shipment) =>
      byCard(one, of).catch((error: unknown) => {
        const isTemporary = error instanceof ApiError && error.code === 'MATRIX_UNAVAILABLE';
        if (!(error instanceof ApiError) || !UNPRICED.has(error.code) || isTemporary) throw error;
        return undefined;
      });
    const charges = await priced(shipment);
    const isFixed = bill.rate_id !== undefined || shipment.service_codes === undefined;
    return charges ?? (isFixed ? undefined : priced({ ...shipment, service_codes: undefined }));
  }

  /** Whether the wallet would pay the amount now. */
  async function canPay(
    { paidOrderId }: ChangedOrder,
    { amount, currency }: { readonly amount: string; readonly currency: string },
    { caller, cause, commandId }: PriceContext,
  ): Promise<boolean> {
    const order = { orderId: paidOrderId, business: businessOf(caller), family: ORDER_FAMILY };
    const payment = {
      payment_id: paymentIdOf(paidOrderId, commandId),
      account_id: userOf(caller).userId,
      amount,
      currency,
    };
    try {
      return (await settle.refusalOf(order, payment, cause)) === undefined;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NO_WALLET_IN_CURRENCY') return false;
      throw error;
    }
  }

  /** How the customer pays the amount that is due after the change. Undefined: later, by its terms. */
  async function paymentOf(
    change: ChangedOrder,
    { charges, settlement }: Agreed,
    own: PricingTerms,
    context: PriceContext,
  ): Promise<ChangedPrice['payment']> {
    const { total, currency } = charges;
    const amount = remainingAmount({ ...change.changed.bill, total, currency });
    if (!mustPrepay(own) || settlement === 'offline' || !isPositive(amount)) return undefined;
    if (!(await canPay(change, { amount, currency }, context))) return { from: 'awaited' };
    const paymentId = paymentIdOf(change.paidOrderId, context.commandId);
    return { from: 'wallet', paymentId, accountId: userOf(context.caller).userId };
  }

  /** Throws PRICE_HIDDEN, ORDER_INVOICED, NOT_PRICED and PRICE_CHANGED, and the errors of the road engine. */
  return async (change: ChangedOrder, context: PriceContext): Promise<ChangedPrice> => {
    const { order, changed, isPriced, expectedPrice } = change;
    const { bill, schedule, warehouse } = changed;
    const own = await terms.ofFamily(userOf(context.caller).userId, ORDER_FAMILY);
    if (own.hidden && expectedPrice !== undefined)
      throw fieldError('PRICE_HIDDEN', 'expected_price', { field: 'expected_price' });
    if (isPriced && (await invoices.ofOrder(order.id)) !== null) throw new ApiError('ORDER_INVOICED');
    const charges = isPriced ? await cardPrice(change, context) : undefined;
    expectPrice(expectedPrice, charges, bill);
    const of = { schedule, warehouse, billVersion: bill.version };
    if (!charges) return { of, ...(isPriced && mustPrepay(own) && { awaitsPrice: true }) };
    const agreed = { charges, settlement: settlementOf(bill, own) };
    const payment = await paymentOf(change, agreed, own, context);
    return { of, agreed, ...(payment && { payment }) };
  };
}

/** The request and its repetition have the same id. */
const paymentIdOf = (orderId: number, commandId: string): string => derivedId('payment', orderId, commandId);

const mustPrepay = ({ hidden, payment_terms }: PricingTerms): boolean =>
  payment_terms === 'wallet_on_create' && !hidden;

const hasPayments = ({ payments }: Bill): boolean => payments.some(({ status }) => status === 'received');

const settlementOf = ({ version, settlement }: Bill, { hidden }: PricingTerms): Agreed['settlement'] =>
  hidden ? 'offline' : version > 0 ? settlement : 'online';

/** Throws unless the price after the change is the one that the customer has seen. */
function expectPrice(expected: string | undefined, charges: Charges | undefined, bill: Bill): void {
  if (expected === undefined) return;
  if (!charges && bill.version === 0) throw new DomainError('NOT_PRICED');
  const { total, currency } = charges ?? bill;
  if (compare(expected, total) === 0) return;
  const remaining_amount = remainingAmount({ ...bill, total, currency });
  throw new DomainError('PRICE_CHANGED', { remaining_amount, shipping_price: total, currency });
}
