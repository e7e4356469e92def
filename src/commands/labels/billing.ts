/** The bill of a label order, as part of the order. */
import { PaymentReceived } from '../../events/bill/events.js';
import { excessAmount, openPayment } from '../../events/bill/state.js';
import { isPositive } from '../../events/core/money.js';
import type { LabelOrder } from '../../events/labels/order.js';
import { hasLabel, labelOrderState } from '../../events/labels/state.js';
import { CLOSED } from '../../events/labels/states.js';
import type { Family } from '../../events/pricing/families.js';
import type { BillChange, BillOf } from '../bill/command.js';
import { cancelBill, decideBill } from '../bill/decide.js';
import { releasePayments } from '../bill/refunding.js';
import { DomainError } from '../core/domain-error.js';
import type { NewEvent } from '../core/entity.js';
import type { LabelAddress, LabelOrderCommand } from './command.js';
import { beginMissing, type Ruling } from './purchasing.js';
import type { LabelState } from './state.js';

/** The family of the orders in these streams. */
export const LABEL_FAMILY: Family = 'label_service';

/**
 * The labels are bought in the append that records the required payment, so no crash can come between them. Throws
 * ORDER_CLOSED for the payment of an order that is being cancelled, and NO_LABEL after attempts without a label.
 */
export function changeLabelBill(state: LabelState, command: BillChange & LabelAddress, of: BillOf): Ruling {
  const status = labelOrderState(state.order);
  const pays = command.do === 'begin_payment' || command.do === 'record_payment';
  if (pays && CLOSED.has(status) && status !== 'DELIVERED' && status !== 'RETURNED')
    throw new DomainError('ORDER_CLOSED', { status });
  // The next purchase takes the payment; this one would be returned at once.
  if (command.do === 'begin_payment' && hasNoLabelAfterFailure(state.order))
    throw new DomainError('NO_LABEL', { state: status });
  const events = decideBill(state.bill, command, of);
  const isPaid =
    command.do === 'conclude_payment' &&
    state.order.payment?.id === command.paymentId &&
    events.some(({ type }) => type.type === PaymentReceived.type);
  return { events, ...(isPaid && { begun: beginMissing(state) }) };
}

/**
 * What goes back to the customer because of what happened to the labels. It is decided when no payment is open, so a
 * payment that ends later is also returned.
 *
 * - An order whose labels are all voided, or that was cancelled without labels, costs nothing.
 * - If the attempts ended without any label, the price stays, and the money returns until the next attempt. With at
 *   least one label the money stays: the missing labels are bought without another payment.
 */
export function owedBack(before: LabelState, after: LabelState, of: BillOf): NewEvent[] {
  const { bill } = after;
  if (isOver(after) && !isOver(before))
    return isPositive(bill.total) || isPositive(excessAmount(bill)) ? cancelBill(bill, undefined, of) : [];
  return isInVain(after) && !isInVain(before) ? releasePayments(bill, of) : [];
}

function isOver({ order, bill }: LabelState): boolean {
  if (openPayment(bill)) return false;
  const state = labelOrderState(order);
  return state === 'VOIDED' || state === 'CANCELLED' || isVoidAccepted(order);
}

/** The carrier has accepted all voids, and the account of the business refunds at that moment. */
const isVoidAccepted = ({ is_whole_void, refund_on, shipments }: LabelOrder): boolean =>
  is_whole_void === true &&
  refund_on === 'submitted' &&
  shipments.filter(hasLabel).every((one) => one.void?.step === 'done' && one.void.ended === undefined);

const isInVain = ({ order, bill }: LabelState): boolean => !openPayment(bill) && hasNoLabelAfterFailure(order);

const hasNoLabelAfterFailure = (order: LabelOrder): boolean =>
  labelOrderState(order) === 'LABEL_PURCHASE_FAILED' && !order.shipments.some(hasLabel);

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
