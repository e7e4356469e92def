/** Refunds of the bill of an order: their events, and where the money goes. */
import { derivedId } from '../../events/otep/identity.js';
import { isPositive } from '../../events/core/money.js';
import { RefundBegun, RefundMade, type RefundTarget } from '../../events/bill/events.js';
import { evolveBill, excessAmount, least, restOf, type Bill, type Payment } from '../../events/bill/state.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import type { BillOf } from './command.js';

/** Refunds the amount by which payments exceed the charges, beginning with the last payment. */
export function refundsOfExcess(bill: Bill, why: 'repriced' | 'cancelled', of: BillOf): NewEvent[] {
  let excess = excessAmount(bill);
  const events: NewEvent[] = [];
  let after = bill;
  for (const payment of [...bill.payments].reverse()) {
    const amount = least(payment.status === 'received' ? restOf(bill, payment) : '0', excess);
    if (!isPositive(amount)) continue;
    const refundId = derivedId('refund of excess', payment.id, of.commandId);
    const to = isOutside(bill, payment, of) ? 'outside' : 'wallet';
    const refund = refundEvents(bill, { refundId, payment, amount, to, why }, of);
    events.push(...refund);
    after = refund.reduce((now, { type, data }) => evolveBill(now, { type: type.type, data }), after);
    excess = excessAmount(after);
  }
  return events;
}

/**
 * Whether the business returns the money outside of the service: there is no wallet, or the prices were hidden from the
 * customer, who would see the price in the balance.
 */
const isOutside = ({ settlement }: Bill, payment: Payment, of: BillOf): boolean =>
  walletOwner(payment, of) === undefined || (settlement === 'offline' && payment.method !== 'wallet');

/** The account whose wallet gets a refund: the payer, otherwise the customer of the order. */
export const walletOwner = ({ account_id }: Payment, { customerId }: Pick<BillOf, 'customerId'>): number | undefined =>
  account_id ?? customerId;

export interface NewRefund {
  readonly refundId: string;
  readonly payment: Payment;
  readonly amount: string;
  readonly to: RefundTarget;
  readonly why: 'requested' | 'repriced' | 'cancelled';
  readonly reason?: string;
}

/** Nothing follows from a refund outside of the service, because the business makes it, and from a carried payment. */
export function refundEvents(
  { currency }: Bill,
  { refundId, payment, amount, to, why, reason }: NewRefund,
  { by }: BillOf,
): NewEvent[] {
  const begun = { refund_id: refundId, payment_id: payment.id, amount, currency, to, why, reason, begun_by: by };
  return [newEvent(RefundBegun, begun), ...(to === 'wallet' ? [] : [newEvent(RefundMade, { refund_id: refundId })])];
}
