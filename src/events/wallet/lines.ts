/** The bookings of a wallet: each event that moves money debits one account and credits another by the same amount. */
import type { JsonObject } from '../core/log.js';
import { isNegative, negated, sum } from '../core/money.js';
import {
  BalanceAdjusted,
  FundsAdded,
  FundsCaptured,
  FundsHeld,
  FundsReturned,
  FundsWithdrawn,
  HoldReleased,
  type Line,
} from './events.js';

interface Booking {
  readonly debit: string;
  readonly credit: string;
}

/** The members of events that determine the accounts. */
interface Booked {
  readonly amount: string;
  readonly source?: string;
  readonly provider?: string;
  readonly family?: string;
  readonly hold_id?: string;
  readonly why?: string;
}

const payer = ({ hold_id }: Booked): string => (hold_id === undefined ? 'customer' : 'held');
const clearing = ({ provider }: Booked): string => `clearing:${provider}`;

const BOOKINGS: Readonly<Record<string, (data: Booked) => Booking>> = {
  [FundsAdded.type]: (data) => ({ debit: data.source === 'card' ? clearing(data) : data.source!, credit: 'customer' }),
  [FundsHeld.type]: () => ({ debit: 'customer', credit: 'held' }),
  [HoldReleased.type]: () => ({ debit: 'held', credit: 'customer' }),
  [FundsCaptured.type]: (data) => ({ debit: payer(data), credit: `settled:${data.family}` }),
  [FundsReturned.type]: ({ family }) => ({ debit: `settled:${family}`, credit: 'customer' }),
  [BalanceAdjusted.type]: ({ amount }) =>
    isNegative(amount) ? { debit: 'customer', credit: 'adjustment' } : { debit: 'adjustment', credit: 'customer' },
  [FundsWithdrawn.type]: (data) => ({
    debit: payer(data),
    credit: data.why === 'refund_to_bank' ? 'bank' : clearing(data),
  }),
};

/** The lines of an event with this data; undefined if events of the type move no money. */
export function linesOf(type: string, data: object | JsonObject): Line[] | undefined {
  const booked = data as Booked;
  const booking = BOOKINGS[type]?.(booked);
  if (!booking) return undefined;
  const amount = isNegative(booked.amount) ? negated(booked.amount) : booked.amount;
  return [
    { account: booking.debit, side: 'debit', amount },
    { account: booking.credit, side: 'credit', amount },
  ];
}

/** By account name: positive for a credit balance, negative for a debit balance. */
export type Balances = Readonly<Record<string, string>>;

/** The balances after these lines. */
export function balancesOf(lines: readonly Line[], before: Balances, currency: string): Record<string, string> {
  const balances = { ...before };
  for (const { account, side, amount } of lines) {
    const signed = { amount: side === 'credit' ? amount : negated(amount), currency };
    balances[account] = sum({ amount: balances[account] ?? '0', currency }, signed).amount;
  }
  return balances;
}

/** The amount by which these lines change the balance of the wallet, which consists of `customer` and `held`. */
export function balanceChange(lines: readonly Line[], currency: string): string {
  const { customer = '0', held = '0' } = balancesOf(lines, {}, currency);
  return sum({ amount: customer, currency }, { amount: held, currency }).amount;
}
