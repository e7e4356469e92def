/** The bill of an order after its events. Deciders and read models share it, so it contains only JSON values. */
import { compare, isPositive, minus, sum } from '../core/money.js';
import {
  ChargesSet,
  PaymentBegun,
  PaymentFailed,
  PaymentReceived,
  RefundBegun,
  RefundMade,
  type ChargeSource,
  type PaymentFailure,
  type PaymentMethod,
  type RefundTarget,
  type Settlement,
} from './events.js';
import type { EventType } from '../core/event-types.js';

export interface Payment {
  readonly id: string;
  readonly amount: string;
  readonly method: PaymentMethod;
  readonly status: 'begun' | 'received' | 'failed';
  /** Owner of the wallet; absent for a payment outside of the service. */
  readonly account_id?: number;
  /** The order is held if the payment fails. */
  readonly required?: true;
  /** The rerouted order that received it before. */
  readonly carried_from?: number;
  /** Why it failed. */
  readonly failure?: PaymentFailure;
  /** Sum of its refunds, including those that are not finished. */
  readonly refunded: string;
}

export interface Refund {
  readonly id: string;
  readonly payment_id: string;
  readonly amount: string;
  readonly to: RefundTarget;
  readonly status: 'begun' | 'made';
}

export interface Bill {
  /** Number of changes of the charges; 0: the order has no price. */
  readonly version: number;
  readonly currency: string;
  readonly total: string;
  readonly settlement: Settlement;
  /** The quote at which the order was placed. */
  readonly rate_id?: string;
  /** The card of the price. Absent: the office set the charges, or the order was cancelled. */
  readonly source?: Omit<ChargeSource, 'inputs'>;
  /** Oldest first. */
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
}

export const NO_BILL: Bill = { version: 0, currency: '', total: '0', settlement: 'online', payments: [], refunds: [] };

export const PAYMENT_STATUSES = [
  'unpriced',
  'unpaid',
  'partly_paid',
  'paid',
  'settle_offline',
  'partly_refunded',
  'refunded',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

const plus = (bill: Bill, ...amounts: readonly string[]): string =>
  sum({ amount: '0', currency: bill.currency }, ...amounts.map((amount) => ({ amount, currency: bill.currency })))
    .amount;
const less = ({ currency }: Bill, first: string, second: string): string =>
  minus({ amount: first, currency }, { amount: second, currency }).amount;

const receivedPayments = ({ payments }: Bill): readonly Payment[] =>
  payments.filter(({ status }) => status === 'received');

/** The part of a payment that is not refunded. */
export const restOf = (bill: Bill, { amount, refunded }: Payment): string => less(bill, amount, refunded);
/** Received payments minus their refunds. */
export const paidAmount = (bill: Bill): string =>
  plus(bill, ...receivedPayments(bill).map((payment) => restOf(bill, payment)));
/** The amount that is due, never below zero. */
export function remainingAmount(bill: Bill): string {
  const remaining = less(bill, bill.total, paidAmount(bill));
  return isPositive(remaining) ? remaining : plus(bill);
}
/** The amount by which received payments exceed the charges, never below zero. */
export function excessAmount(bill: Bill): string {
  const excess = less(bill, paidAmount(bill), bill.total);
  return isPositive(excess) ? excess : plus(bill);
}
export const openPayment = ({ payments }: Bill): Payment | undefined =>
  payments.find(({ status }) => status === 'begun');

export function paymentStatus(bill: Bill): PaymentStatus {
  if (bill.version === 0) return 'unpriced';
  const isDue = isPositive(remainingAmount(bill));
  const isRefunded = receivedPayments(bill).some(({ refunded }) => isPositive(refunded));
  const isPaid = isPositive(paidAmount(bill));
  if (isRefunded) return isPaid ? 'partly_refunded' : 'refunded';
  if (!isDue) return 'paid';
  if (bill.settlement === 'offline') return 'settle_offline';
  return isPaid ? 'partly_paid' : 'unpaid';
}

/** The least of two amounts. */
export const least = (first: string, second: string): string => (compare(first, second) <= 0 ? first : second);

interface BillEvent {
  readonly type: string;
  readonly data: unknown;
}
type Change<Data> = (bill: Bill, data: Data) => Bill;
const changes = new Map<string, Change<never>>();
const on = <Data>({ type }: EventType<Data>, change: Change<Data>): void => void changes.set(type, change);

/** The bill after an event. Other events of the order do not change it. Never changes the given bill. */
export const evolveBill = (bill: Bill, { type, data }: BillEvent): Bill =>
  changes.get(type)?.(bill, data as never) ?? bill;

const withPayment = (bill: Bill, id: string, change: (payment: Payment) => Payment): Bill => ({
  ...bill,
  payments: bill.payments.map((payment) => (payment.id === id ? change(payment) : payment)),
});

on(ChargesSet, ({ rate_id: before, payments, refunds }, { bill_version, currency, total, settlement, source }) => {
  const { inputs: _inputs, ...card } = source ?? {};
  const rate_id = source?.rate_id ?? before;
  return {
    version: bill_version,
    currency,
    total,
    settlement,
    ...(rate_id !== undefined && { rate_id }),
    ...(source && { source: card as Bill['source'] & object }),
    payments,
    refunds,
  };
});
on(PaymentBegun, (bill, { payment_id: id, amount, account_id, required }) => ({
  ...bill,
  payments: [
    ...bill.payments,
    { id, amount, method: 'wallet', status: 'begun', account_id, refunded: plus(bill), ...(required && { required }) },
  ],
}));
on(PaymentReceived, (bill, { payment_id: id, amount, method, account_id, carried_from }) => {
  if (bill.payments.some((payment) => payment.id === id))
    return withPayment(bill, id, (payment) => ({ ...payment, status: 'received' }));
  const payment: Payment = {
    id,
    amount,
    method,
    status: 'received',
    refunded: plus(bill),
    ...(account_id !== undefined && { account_id }),
    ...(carried_from !== undefined && { carried_from }),
  };
  return { ...bill, payments: [...bill.payments, payment] };
});
on(PaymentFailed, (bill, { payment_id, code }) =>
  withPayment(bill, payment_id, (payment) => ({ ...payment, status: 'failed', failure: code })),
);
on(RefundBegun, (bill, { refund_id: id, payment_id, amount, to }) => ({
  ...withPayment(bill, payment_id, (payment) => ({ ...payment, refunded: plus(bill, payment.refunded, amount) })),
  refunds: [...bill.refunds, { id, payment_id, amount, to, status: 'begun' }],
}));
on(RefundMade, (bill, { refund_id }) => ({
  ...bill,
  refunds: bill.refunds.map((refund) => (refund.id === refund_id ? { ...refund, status: 'made' } : refund)),
}));
