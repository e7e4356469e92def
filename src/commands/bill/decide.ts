/**
 * Decides about the bill of an order. Only one payment of an order is open at a time, refunds never exceed their
 * payment, and received money never exceeds the charges.
 */
import { derivedId } from '../../events/otep/identity.js';
import { compare, exact, isPositive, rounded } from '../../events/core/money.js';
import {
  ChargesSet,
  PaymentBegun,
  PaymentFailed,
  PaymentReceived,
  RefundMade,
  type ChargeReason,
  type Settlement,
} from '../../events/bill/events.js';
import { evolveBill, NO_BILL, openPayment, remainingAmount, restOf, type Bill } from '../../events/bill/state.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { refundEvents, refundsOfExcess, walletOwner } from './refunding.js';
import type {
  Agreed,
  BeginPayment,
  BeginRefund,
  BillChange,
  BillOf,
  CarriedPayment,
  Charges,
  ConcludePayment,
  ConcludeRefund,
  RecordPayment,
  SetCharges,
} from './command.js';

/** Maximum number of payments of an order, including failed payments. */
export const MAX_PAYMENTS = 100;

/** Maximum number of refunds of an order before another one can be requested. Cancellations have no limit. */
export const MAX_REFUNDS = 100;
/** Maximum number of charges of an order before others can be set. Cancellations have no limit. */
export const MAX_CHARGES = 200;

type Rules = {
  readonly [Kind in BillChange['do']]: (
    bill: Bill,
    command: Extract<BillChange, { readonly do: Kind }>,
    of: BillOf,
  ) => NewEvent[];
};
const RULES: Rules = {
  set_charges: setCharges,
  begin_payment: beginPayment,
  conclude_payment: concludePayment,
  record_payment: recordPayment,
  begin_refund: beginRefund,
  conclude_refund: concludeRefund,
};

/**
 * The events of a command. Throws a domain error if the bill does not allow it, and TooPrecise for an amount with more
 * digits than the currency of the bill.
 */
export const decideBill = (bill: Bill, command: BillChange, of: BillOf): NewEvent[] =>
  (RULES[command.do] as (bill: Bill, command: BillChange, of: BillOf) => NewEvent[])(bill, command, of);

/** The price of a new order. */
export const agree = ({ charges, settlement }: Agreed, of: BillOf): NewEvent =>
  chargesEvent(NO_BILL, charges, { settlement, why: 'agreed', of });

/**
 * A cancelled order costs nothing, or the fee of a late cancellation. Refunds the amount that was paid in excess. Throws
 * PAYMENT_IN_PROGRESS.
 */
export function cancelBill(bill: Bill, fee: Charges | undefined, of: BillOf): NewEvent[] {
  if (bill.version === 0) return [];
  return replaceCharges(bill, fee ?? noCharges(bill), { settlement: bill.settlement, why: 'cancelled', of });
}

/**
 * A rerouted order costs nothing, and its replacement has its payments. Throws PAYMENT_IN_PROGRESS. The replacement
 * reads these refunds, so that no payment is lost or counted twice if the process ends in between.
 */
export function moveBill(bill: Bill, of: BillOf): NewEvent[] {
  if (bill.version === 0) return [];
  mustHaveNoOpenPayment(bill);
  const set = chargesEvent(bill, noCharges(bill), { settlement: bill.settlement, why: 'cancelled', of });
  const moved = bill.payments.flatMap((payment) => {
    const amount = restOf(bill, payment);
    if (payment.status !== 'received' || !isPositive(amount)) return [];
    const refundId = derivedId('carried payment', payment.id, of.commandId);
    return refundEvents(bill, { refundId, payment, amount, to: 'replacement', why: 'cancelled' }, of);
  });
  return [set, ...moved];
}

/** The bill of an order that replaces a rerouted one. Refunds the amount by which the payments exceed the new price. */
export function continueBill(agreed: Agreed, carried: readonly CarriedPayment[], of: BillOf): NewEvent[] {
  const { currency } = agreed.charges;
  const events = [agree(agreed, of), ...carried.map((payment) => carriedEvent(payment, currency))];
  const after = events.reduce((now, { type, data }) => evolveBill(now, { type: type.type, data }), NO_BILL);
  return [...events, ...refundsOfExcess(after, 'repriced', of)];
}

const carriedEvent = (
  { paymentId, amount, method, accountId, reference, receivedAt, receivedBy, from }: CarriedPayment,
  currency: string,
): NewEvent =>
  newEvent(PaymentReceived, {
    payment_id: paymentId,
    amount,
    currency,
    method,
    reference,
    received_at: receivedAt,
    received_by: receivedBy,
    carried_from: from,
    account_id: accountId,
  });

function setCharges(bill: Bill, { charges, settlement, firstSettlement }: SetCharges, of: BillOf): NewEvent[] {
  if (bill.version >= MAX_CHARGES) throw new DomainError('TOO_MANY_CHARGES', { max: MAX_CHARGES });
  const isFirst = bill.version === 0;
  return replaceCharges(bill, charges, {
    settlement: settlement ?? (isFirst && firstSettlement ? firstSettlement : bill.settlement),
    why: isFirst ? 'agreed' : 'repriced',
    of,
  });
}

function beginPayment(
  bill: Bill,
  { paymentId, accountId, expectedAmount, billVersion = bill.version }: BeginPayment,
  { by }: BillOf,
  isRequired = false,
): NewEvent[] {
  if (bill.payments.some(({ id }) => id === paymentId)) return [];
  if (bill.settlement === 'offline') throw new DomainError('PRICE_HIDDEN_SETTLE_OFFLINE');
  mustBePayable(bill);
  const remaining = remainingAmount(bill);
  const hasChanged = expectedAmount !== undefined && compare(expectedAmount, remaining) !== 0;
  if (hasChanged || billVersion !== bill.version)
    throw new DomainError('PRICE_CHANGED', { remaining_amount: remaining, currency: bill.currency });
  return [
    newEvent(PaymentBegun, {
      payment_id: paymentId,
      amount: remaining,
      currency: bill.currency,
      account_id: accountId,
      bill_version: bill.version,
      ...(isRequired && { required: true as const }),
      begun_by: by,
    }),
  ];
}

/** The payment of a new order, which the order waits for: it is held if the payment fails. */
export const beginRequiredPayment = (
  bill: Bill,
  { paymentId, accountId }: Pick<BeginPayment, 'paymentId' | 'accountId'>,
  of: BillOf,
): NewEvent[] => beginPayment(bill, { do: 'begin_payment', paymentId, accountId }, of, true);

/** The request and the follower of the log both report the decision of the wallet. The first report counts. */
function concludePayment(bill: Bill, { paymentId, failure }: ConcludePayment): NewEvent[] {
  const payment = bill.payments.find(({ id }) => id === paymentId);
  if (!payment) throw new DomainError('PAYMENT_NOT_FOUND');
  if (payment.status !== 'begun') return [];
  if (failure) return [newEvent(PaymentFailed, { payment_id: paymentId, code: failure })];
  const { amount, method } = payment;
  return [newEvent(PaymentReceived, { payment_id: paymentId, amount, currency: bill.currency, method })];
}

function recordPayment(
  bill: Bill,
  { paymentId, amount, method, reference, receivedAt }: RecordPayment,
  { by }: BillOf,
): NewEvent[] {
  if (bill.payments.some(({ id }) => id === paymentId)) return [];
  mustBePayable(bill);
  const { currency } = bill;
  const received = exact({ amount, currency }).amount;
  if (compare(received, remainingAmount(bill)) > 0) throw new DomainError('AMOUNT_TOO_HIGH');
  return [
    newEvent(PaymentReceived, {
      payment_id: paymentId,
      amount: received,
      currency,
      method,
      reference,
      received_at: receivedAt,
      received_by: by,
    }),
  ];
}

function beginRefund(bill: Bill, { refundId, paymentId, amount, to, reason }: BeginRefund, of: BillOf): NewEvent[] {
  if (bill.refunds.some(({ id }) => id === refundId)) return [];
  const payment = bill.payments.find(({ id }) => id === paymentId);
  if (payment?.status !== 'received') throw new DomainError('PAYMENT_NOT_FOUND');
  if (bill.refunds.length >= MAX_REFUNDS) throw new DomainError('TOO_MANY_REFUNDS', { max: MAX_REFUNDS });
  const rest = restOf(bill, payment);
  const refunded = amount === undefined ? rest : exact({ amount, currency: bill.currency }).amount;
  if (!isPositive(rest) || compare(refunded, rest) > 0) throw new DomainError('AMOUNT_TOO_HIGH');
  if (to === 'wallet' && walletOwner(payment, of) === undefined) throw new DomainError('NO_WALLET_IN_CURRENCY');
  return refundEvents(bill, { refundId, payment, amount: refunded, to, why: 'requested', reason }, of);
}

function concludeRefund(bill: Bill, { refundId }: ConcludeRefund): NewEvent[] {
  const refund = bill.refunds.find(({ id }) => id === refundId);
  if (!refund) throw new DomainError('PAYMENT_NOT_FOUND');
  return refund.status === 'made' ? [] : [newEvent(RefundMade, { refund_id: refundId })];
}

interface NewCharges {
  readonly settlement: Settlement;
  readonly why: ChargeReason;
  readonly of: BillOf;
}

function replaceCharges(bill: Bill, charges: Charges, { settlement, why, of }: NewCharges): NewEvent[] {
  mustHaveNoOpenPayment(bill);
  mustKeepCurrency(bill, charges);
  const set = chargesEvent(bill, charges, { settlement, why, of });
  const after = evolveBill(bill, { type: set.type.type, data: set.data });
  return [set, ...refundsOfExcess(after, why === 'cancelled' ? 'cancelled' : 'repriced', of)];
}

/** Throws MIXED_CURRENCIES for charges in another currency than the received payments. */
export function mustKeepCurrency(bill: Bill, charges: Charges): void {
  const isPaid = bill.payments.some(({ status }) => status === 'received');
  if (charges.currency !== bill.currency && isPaid) throw new DomainError('MIXED_CURRENCIES');
}

function chargesEvent(bill: Bill, charges: Charges, { settlement, why, of }: NewCharges): NewEvent {
  return newEvent(ChargesSet, {
    order_id: of.orderId,
    business: of.business,
    customer_id: of.customerId,
    family: of.family,
    bill_version: bill.version + 1,
    ...chargeMembers(charges),
    settlement,
    why,
    set_by: of.by,
  });
}

/** The charges as events store them. */
export const chargeMembers = ({
  currency,
  lines,
  lineNames,
  subtotal,
  surchargeAmount,
  taxAmount,
  total,
  source,
}: Charges) => ({
  currency,
  lines: [...lines],
  line_names: lineNames,
  subtotal,
  surcharge_amount: surchargeAmount,
  tax_amount: taxAmount,
  total,
  source,
});

function mustBePayable(bill: Bill): void {
  if (bill.version === 0) throw new DomainError('NOT_PRICED');
  mustHaveNoOpenPayment(bill);
  if (!isPositive(remainingAmount(bill))) throw new DomainError('NOTHING_DUE');
  if (bill.payments.length >= MAX_PAYMENTS) throw new DomainError('TOO_MANY_PAYMENTS', { max: MAX_PAYMENTS });
}

function mustHaveNoOpenPayment(bill: Bill): void {
  if (openPayment(bill)) throw new DomainError('PAYMENT_IN_PROGRESS');
}

function noCharges({ currency }: Bill): Charges {
  const zero = rounded('0', currency);
  return { currency, lines: [], subtotal: zero, surchargeAmount: zero, taxAmount: zero, total: zero };
}
