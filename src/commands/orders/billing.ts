/** The bill of an order, as part of the order. */
import type { Fact } from '../../events/core/codec.js';
import { PaymentFailed } from '../../events/bill/events.js';
import { evolveBill, remainingAmount, type Bill } from '../../events/bill/state.js';
import { isPositive } from '../../events/core/money.js';
import { OrderHeld, OrderReleased, statusRow, type OrderStatus } from '../../events/orders/events.js';
import type { Family } from '../../events/pricing/families.js';
import { cancellationFee } from '../bill/cancellation-fee.js';
import type { BillChange, BillOf } from '../bill/command.js';
import { agree, beginRequiredPayment, cancelBill, decideBill } from '../bill/decide.js';
import type { NewEvent } from '../core/entity.js';
import type { CommandTo, OrderCommand } from './command.js';
import type { EventFactory } from './rules.js';
import type { OrderState } from './state.js';

/** The family of the orders in these streams. */
export const ORDER_FAMILY: Family = 'local_delivery';

/** In these statuses, the customer can cancel without a fee. */
const EARLY: ReadonlySet<OrderStatus> = new Set(['NEW_ORDER', 'HOLD', 'PLANNED']);

export function changeBill(state: OrderState, command: CommandTo<BillChange['do']>, newEvent: EventFactory): Fact[] {
  const events = decideBill(state.bill, command, billOf(state, command));
  return [...toFacts(events, newEvent), ...holdByPayment(state, events, newEvent)];
}

/** The price of a new order, and its payment or the wait for it. An order also waits for a price that it does not have. */
export function agreedPrice(state: OrderState, command: CommandTo<'create'>, newEvent: EventFactory): Fact[] {
  const { agreed, payment } = command;
  const held = payment?.from === 'awaited' ? [newEvent(OrderHeld, { why: 'payment' })] : [];
  if (!agreed) return held;
  const of = billOf(state, command);
  const price = agree(agreed, of);
  if (!payment || !isPositive(agreed.charges.total)) return toFacts([price], newEvent);
  if (payment.from === 'awaited') return [...toFacts([price], newEvent), ...held];
  return toFacts([price, ...beginRequiredPayment(afterEvents(state.bill, [price]), payment, of)], newEvent);
}

/**
 * The order is held if a payment that it waits for fails, and released when nothing is due any more. Both are part of
 * the append that records the payment, so no crash can come between them.
 */
function holdByPayment(state: OrderState, events: readonly NewEvent[], newEvent: EventFactory): Fact[] {
  const { bill, status, heldFor, route, thirdParty } = state;
  const hasFailed = events.some(
    ({ type, data }) =>
      type.type === PaymentFailed.type &&
      bill.payments.find(({ id }) => id === (data as { payment_id: string }).payment_id)?.required,
  );
  if (hasFailed && mayBeHeld(status) && route === undefined && thirdParty === undefined)
    return [newEvent(OrderHeld, { why: 'payment' })];
  const isPaid = events.length > 0 && !isPositive(remainingAmount(afterEvents(bill, events)));
  return isPaid && status === 'HOLD' && heldFor === 'payment' ? [newEvent(OrderReleased, { why: 'payment' })] : [];
}

const mayBeHeld = (status: OrderStatus): boolean => status !== 'HOLD' && statusRow(status).dispatchable;

const afterEvents = (bill: Bill, events: readonly NewEvent[]): Bill =>
  events.reduce((now, { type, data }) => evolveBill(now, { type: type.type, data }), bill);

/** The office decides about a fee itself, by new charges. A rerouted order continues, so it costs no fee. */
export function cancelledBill(
  state: OrderState,
  command: CommandTo<'cancel' | 'reroute'>,
  newEvent: EventFactory,
): Fact[] {
  const isByCustomer = command.do === 'cancel' && command.byCustomer === true;
  const isLate = isByCustomer && !EARLY.has(state.status);
  const fee = isLate ? cancellationFee(state.bill) : undefined;
  return toFacts(cancelBill(state.bill, fee, billOf(state, command)), newEvent);
}

const toFacts = (events: readonly NewEvent[], newEvent: EventFactory): Fact[] =>
  events.map(({ type, data }) => newEvent(type, data));

const billOf = (state: OrderState, command: OrderCommand): BillOf => ({
  orderId: command.orderId,
  business: command.business,
  customerId: command.do === 'create' ? command.order.customer_id : state.customer,
  family: ORDER_FAMILY,
  commandId: command.commandId,
  by: command.by,
});
