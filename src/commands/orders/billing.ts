/** The bill of an order, as part of the order. */
import type { Fact } from '../../events/core/codec.js';
import type { OrderStatus } from '../../events/orders/events.js';
import type { Family } from '../../events/pricing/families.js';
import { cancellationFee } from '../bill/cancellation-fee.js';
import type { BillChange, BillOf } from '../bill/command.js';
import { agree, cancelBill, decideBill } from '../bill/decide.js';
import type { NewEvent } from '../core/entity.js';
import type { CommandTo, OrderCommand } from './command.js';
import type { EventFactory } from './rules.js';
import { wasInHand } from './scan-history.js';
import type { OrderState } from './state.js';

/** The family of the orders in these streams. */
export const ORDER_FAMILY: Family = 'local_delivery';

/** In these statuses, the customer can cancel without a fee, unless a package was picked up or received before. */
const EARLY: ReadonlySet<OrderStatus> = new Set(['NEW_ORDER', 'HOLD', 'PLANNED']);

export const changeBill = (state: OrderState, command: CommandTo<BillChange['do']>, newEvent: EventFactory): Fact[] =>
  toFacts(decideBill(state.bill, command, billOf(state, command)), newEvent);

/** The price of a new order. */
export const agreedPrice = (state: OrderState, command: CommandTo<'create'>, newEvent: EventFactory): Fact[] =>
  command.agreed ? toFacts([agree(command.agreed, billOf(state, command))], newEvent) : [];

/** The office decides about a fee itself, by new charges. A rerouted order continues, so it costs no fee. */
export function cancelledBill(
  state: OrderState,
  command: CommandTo<'cancel' | 'reroute'>,
  newEvent: EventFactory,
): Fact[] {
  const hasStarted = !EARLY.has(state.status) || wasInHand(state.history);
  const isLate = command.do === 'cancel' && command.byCustomer === true && hasStarted;
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
