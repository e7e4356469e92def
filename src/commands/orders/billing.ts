/** The bill of an order, as part of the order. */
import type { Fact } from '../../events/core/codec.js';
import { ChargesSet, PaymentFailed } from '../../events/bill/events.js';
import { evolveBill, remainingAmount, type Bill } from '../../events/bill/state.js';
import { isPositive } from '../../events/core/money.js';
import { OrderHeld, OrderReleased, statusRow, type HoldCause, type OrderStatus } from '../../events/orders/events.js';
import type { Family } from '../../events/pricing/families.js';
import { cancellationFee } from '../bill/cancellation-fee.js';
import type { BillChange, BillOf } from '../bill/command.js';
import { beginRequiredPayment, cancelBill, continueBill, decideBill, moveBill } from '../bill/decide.js';
import type { NewEvent } from '../core/entity.js';
import type { CommandTo, OrderCommand } from './command.js';
import type { EventFactory } from './rules.js';
import type { OrderState } from './state.js';

/** The family of the orders in these streams. */
export const ORDER_FAMILY: Family = 'local_delivery';

/** In these statuses, the customer can cancel without a fee. */
const EARLY: ReadonlySet<OrderStatus> = new Set(['NEW_ORDER', 'HOLD', 'PLANNED']);
export const isEarly = (status: OrderStatus): boolean => EARLY.has(status);

export function changeBill(state: OrderState, command: CommandTo<BillChange['do']>, newEvent: EventFactory): Fact[] {
  const events = decideBill(state.bill, command, billOf(state, command));
  return [...toFacts(events, newEvent), ...holdByPayment(state, events, newEvent)];
}

/**
 * The price of a new order, and its payment or the wait for it. An order also waits for a price that it does not have. An
 * order that replaces a rerouted one has the payments of that order, and its hold.
 */
export function agreedPrice(state: OrderState, command: CommandTo<'create'>, newEvent: EventFactory): Fact[] {
  const { agreed, payment, carried = [], held } = command;
  const of = billOf(state, command);
  const events = agreed ? continueBill(agreed, carried, of) : [];
  const isDue = !agreed || isPositive(remainingAmount(afterEvents(state.bill, events)));
  const isAwaited = payment?.from === 'awaited' && isDue && !held;
  return [
    ...toFacts(events, newEvent),
    ...(held ? [newEvent(OrderHeld, { held_by: held.by, reason: held.reason, why: held.why })] : []),
    ...(isAwaited ? [newEvent(OrderHeld, { why: 'payment' as const })] : []),
    ...(payment?.from === 'wallet' && agreed && isDue
      ? toFacts(beginRequiredPayment(afterEvents(state.bill, events), payment, of), newEvent)
      : []),
  ];
}

/** The events of the price after a change by the customer: charges, payment, refunds, hold. */
export function changePrice(
  state: OrderState,
  command: CommandTo<'update'>,
  { agreed, payment, awaitsPrice }: CommandTo<'update'>['price'] & object,
  newEvent: EventFactory,
): Fact[] {
  const holdFor = (why: HoldCause): Fact[] =>
    // A user holds the order: its release decides.
    state.status === 'HOLD' && state.heldFor !== 'payment' ? [] : [newEvent(OrderHeld, { why })];
  if (!agreed) return awaitsPrice && state.heldFor !== 'price' ? holdFor('price') : [];
  const of = billOf(state, command);
  const { charges, settlement } = agreed;
  const set = decideBill(state.bill, { do: 'set_charges', charges, firstSettlement: settlement }, of);
  const after = afterEvents(state.bill, set);
  const isDue = isPositive(remainingAmount(after));
  const paid = payment?.from === 'wallet' && isDue ? beginRequiredPayment(after, payment, of) : [];
  const isNowAwaited = payment?.from === 'awaited' && isDue && state.heldFor === undefined;
  return [
    ...toFacts([...set, ...paid], newEvent),
    ...(isNowAwaited ? holdFor('payment') : holdByPayment(state, set, newEvent)),
  ];
}

/**
 * The order is held if a payment that it waits for fails, and released when nothing is due any more. Both are part of
 * the append that records the payment, so no crash can come between them. An order that waits for its price waits for
 * the payment as soon as it has one.
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
  const isPriced = heldFor !== 'price' || events.some(({ type }) => type.type === ChargesSet.type);
  if (status !== 'HOLD' || heldFor === undefined || events.length === 0 || !isPriced) return [];
  if (!isPositive(remainingAmount(afterEvents(bill, events)))) return [newEvent(OrderReleased, { why: heldFor })];
  return heldFor === 'price' ? [newEvent(OrderHeld, { why: 'payment' })] : [];
}

const mayBeHeld = (status: OrderStatus): boolean => status !== 'HOLD' && statusRow(status).dispatchable;

const afterEvents = (bill: Bill, events: readonly NewEvent[]): Bill =>
  events.reduce((now, { type, data }) => evolveBill(now, { type: type.type, data }), bill);

/**
 * The office decides about a fee itself, by new charges. A rerouted order continues, so it costs no fee and its payments
 * are not refunded.
 */
export function cancelledBill(
  state: OrderState,
  command: CommandTo<'cancel' | 'reroute'>,
  newEvent: EventFactory,
): Fact[] {
  const of = billOf(state, command);
  if (command.do === 'reroute') return toFacts(moveBill(state.bill, of), newEvent);
  const isLate = command.byCustomer === true && !isEarly(state.status);
  const fee = isLate ? cancellationFee(state.bill) : undefined;
  return toFacts(cancelBill(state.bill, fee, of), newEvent);
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
