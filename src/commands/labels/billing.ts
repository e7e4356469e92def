/** The bill of a label order, as part of the order. */
import { PaymentReceived } from '../../events/bill/events.js';
import type { Family } from '../../events/pricing/families.js';
import { labelOrderState } from '../../events/labels/state.js';
import { CLOSED } from '../../events/labels/states.js';
import type { BillChange, BillOf } from '../bill/command.js';
import { decideBill } from '../bill/decide.js';
import { releasePayments } from '../bill/refunding.js';
import { DomainError } from '../core/domain-error.js';
import type { NewEvent } from '../core/entity.js';
import type { LabelAddress, LabelOrderCommand } from './command.js';
import { beginMissing, hasFailed, type Ruling } from './purchasing.js';
import type { LabelState } from './state.js';

/** The family of the orders in these streams. */
export const LABEL_FAMILY: Family = 'label_service';

/**
 * The labels are bought in the append that records the required payment, so no crash can come between them. Throws
 * ORDER_CLOSED for the payment of an order that is being cancelled.
 */
export function changeLabelBill(state: LabelState, command: BillChange & LabelAddress, of: BillOf): Ruling {
  const status = labelOrderState(state.order);
  const pays = command.do === 'begin_payment' || command.do === 'record_payment';
  if (pays && CLOSED.has(status) && status !== 'DELIVERED' && status !== 'RETURNED')
    throw new DomainError('ORDER_CLOSED', { status });
  const events = decideBill(state.bill, command, of);
  const isPaid =
    command.do === 'conclude_payment' &&
    state.order.payment?.id === command.paymentId &&
    events.some(({ type }) => type.type === PaymentReceived.type);
  return { events, ...(isPaid && { begun: beginMissing(state) }) };
}

/** When the last attempt has ended without all labels, the customer gets the money back. */
export const releasedAfterFailure = (before: LabelState, after: LabelState, of: BillOf): NewEvent[] =>
  !hasFailed(before.order) && hasFailed(after.order) ? releasePayments(after.bill, of) : [];

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
