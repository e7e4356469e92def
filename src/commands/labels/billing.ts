/** The bill of a label order, as part of the order. */
import { ChargesSet, PaymentReceived } from '../../events/bill/events.js';
import { excessAmount, type Bill } from '../../events/bill/state.js';
import type { JsonObject } from '../../events/core/log.js';
import { isPositive } from '../../events/core/money.js';
import { labelOrderState } from '../../events/labels/state.js';
import type { Family } from '../../events/pricing/families.js';
import type { BillChange, BillOf } from '../bill/command.js';
import { cancelBill, decideBill } from '../bill/decide.js';
import { releasePayments } from '../bill/refunding.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import type { LabelAddress, LabelOrderCommand } from './command.js';
import { isUnsuccessful } from './endings.js';
import { beginMissing, type Ruling } from './purchasing.js';
import type { LabelState } from './state.js';

/** The family of the orders in these streams. */
export const LABEL_FAMILY: Family = 'label_service';

/**
 * The labels are bought in the append that records the required payment, so no crash can come between them. Throws
 * ORDER_CLOSED for the payment of an order whose labels are being voided, and NO_LABEL after attempts without a label.
 */
export function changeLabelBill(state: LabelState, command: BillChange & LabelAddress, of: BillOf): Ruling {
  const status = labelOrderState(state.order);
  const pays = command.do === 'begin_payment' || command.do === 'record_payment';
  // A fee of a voided or cancelled order can be paid.
  if (pays && status === 'VOID_REQUESTED') throw new DomainError('ORDER_CLOSED', { status });
  // The next purchase takes the payment; this one would be returned at once.
  if (command.do === 'begin_payment' && isUnsuccessful(state.order))
    throw new DomainError('NO_LABEL', { state: status });
  const events = decideBill(state.bill, command, of);
  const isPaid =
    command.do === 'conclude_payment' &&
    state.order.payment?.id === command.paymentId &&
    events.some(({ type }) => type.type === PaymentReceived.type);
  return { events, ...(isPaid && { begun: beginMissing(state) }) };
}

/**
 * What changes in the bill because of what happened to the labels. It is decided when no payment is open, so a payment
 * that ends later is also returned.
 *
 * - An order whose labels are all voided, or that was cancelled without labels, costs nothing.
 * - If the carrier rejects a void after the refund, the order has its price again.
 * - If the attempts ended without any label, the price stays, and the money returns until the next attempt. After the
 *   first label the money stays: the missing labels are bought without another payment.
 */
export function followingBill(before: LabelState, after: LabelState, of: BillOf): NewEvent[] {
  const { bill } = after;
  if (after.isOver && !before.isOver)
    return isPositive(bill.total) || isPositive(excessAmount(bill)) ? cancelBill(bill, undefined, of) : [];
  if (before.isOver && !after.isOver && after.cancelledPrice) return [restoredCharges(bill, after.cancelledPrice)];
  return after.isUnsuccessful && !before.isUnsuccessful ? releasePayments(bill, of) : [];
}

/** The names of lines by the office and the inputs of the price are encrypted, so they are not repeated. */
function restoredCharges({ version }: Bill, price: JsonObject): NewEvent {
  const { line_names: _names, source: _source, set_by: _by, ...charges } = price;
  return newEvent(ChargesSet, { ...charges, bill_version: version + 1, why: 'repriced' } as never);
}

export const labelBillOf = (
  { created }: LabelState,
  command: LabelOrderCommand | Pick<LabelAddress, 'commandId' | 'orderId' | 'business'>,
): BillOf => ({
  orderId: command.orderId,
  business: command.business,
  customerId: 'do' in command && command.do === 'create' ? command.order.customer_id : created?.customer_id,
  family: LABEL_FAMILY,
  commandId: command.commandId,
  by: 'by' in command ? command.by : undefined,
});
