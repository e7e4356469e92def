/** The rules of each command: its events, or the error that rejects it. */
import type { EventType } from '../../events/core/event-types.js';
import { compact } from '../../events/core/compact.js';
import { compare, isPositive, MAX_AMOUNT } from '../../events/core/money.js';
import {
  BalanceAdjusted,
  FundsAdded,
  FundsCaptured,
  FundsHeld,
  FundsReturned,
  FundsWithdrawn,
  HoldReleased,
  PaymentRefused,
  WalletTermsSet,
  type Line,
  type ReleaseReason,
} from '../../events/wallet/events.js';
import { linesOf } from '../../events/wallet/lines.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import type {
  Adjust,
  Capture,
  Credit,
  Hold,
  Refusal,
  Release,
  Return,
  SetTerms,
  WalletChange,
  WalletCommand,
  Withdraw,
} from './command.js';
import { isExpired, type Funds } from './funds.js';
import { KIND, less, packed, plus, type OpenHold, type WalletState } from './state.js';

export interface Ruling {
  readonly events: readonly NewEvent[];
  readonly refusal?: Refusal;
}

/** A wallet and its amounts at the time of the command. */
interface Situation {
  readonly state: WalletState;
  readonly funds: Funds;
  readonly at: number;
}

type Rules = { readonly [Kind in WalletChange['do']]: (now: Situation, command: CommandOf<Kind>) => Ruling };
type CommandOf<Kind> = Extract<WalletChange, { readonly do: Kind }>;

const RULES: Rules = { credit, adjust, hold, release, capture, return: returned, withdraw, setTerms };

export const ruling = (state: WalletState, funds: Funds, command: WalletCommand): Ruling =>
  (RULES[command.do] as (now: Situation, command: WalletCommand) => Ruling)({ state, funds, at: command.at }, command);

/** The release of the rest of a hold. */
export const releaseOf = (state: WalletState, { id, left }: OpenHold, why: ReleaseReason): NewEvent =>
  moneyEvent(state, HoldReleased, { hold_id: id, amount: left, why });

function credit({ state }: Situation, { entryId, amount, source, reference, topUpId, ...more }: Credit): Ruling {
  const { provider, family, orderId } = more;
  // The provider has received a card payment already, so a rejection would lose the money.
  if (orderId === undefined && source !== 'card') mustFit(state, amount);
  const cause = compact({ provider, topup_id: topUpId, family, order_id: orderId });
  return { events: [moneyEvent(state, FundsAdded, { entry_id: entryId, amount, source, reference, ...cause })] };
}

function adjust({ state, funds }: Situation, { entryId, amount, reason, by }: Adjust): Ruling {
  if (isPositive(amount)) mustFit(state, amount);
  else mustBeAvailable(state, funds, less(state, '0', amount));
  return { events: [moneyEvent(state, BalanceAdjusted, { entry_id: entryId, amount, reason, adjusted_by: by })] };
}

function hold({ state, funds }: Situation, { holdId, amount, family, orderId, expiresAt }: Hold): Ruling {
  const refusal = refusalOf(state, funds, amount);
  if (refusal) return refused(holdId, refusal);
  const data = { hold_id: holdId, amount, family, order_id: orderId, expires_at: expiresAt };
  return { events: [moneyEvent(state, FundsHeld, data)] };
}

/** A hold that has expired by the clock needs no release by a command. */
function release({ state, at }: Situation, { holdId, why }: Release): Ruling {
  const open = state.holds.get(packed(holdId));
  if (!open) throw new DomainError('HOLD_GONE');
  return { events: isExpired(open, at) ? [] : [releaseOf(state, open, why)] };
}

function capture(now: Situation, { entryId, amount, holdId, family, orderId }: Capture): Ruling {
  const { state, funds } = now;
  const taken = holdId === undefined ? undefined : openHold(now, holdId, amount);
  // The amount of a hold is reserved, so only a frozen wallet refuses to pay with it.
  const refusal = refusalOf(state, funds, amount, taken !== undefined);
  if (refusal) return refused(entryId, refusal);
  const data = { entry_id: entryId, amount, hold_id: holdId, family, order_id: orderId };
  return { events: [moneyEvent(state, FundsCaptured, data), ...restOf(state, taken, amount)] };
}

function returned({ state }: Situation, { entryId, paymentId, amount, family, orderId, why }: Return): Ruling {
  const id = packed(paymentId);
  const payment = state.entries.get(id);
  if (!payment?.startsWith(KIND.capture)) throw new DomainError('NOT_FOUND');
  const left = less(state, payment.slice(1), state.returned.get(id) ?? '0');
  if (compare(amount, left) > 0) throw new DomainError('AMOUNT_TOO_HIGH');
  const data = { entry_id: entryId, payment_id: paymentId, amount, family, order_id: orderId, why };
  return { events: [moneyEvent(state, FundsReturned, data)] };
}

function withdraw(now: Situation, command: Withdraw): Ruling {
  const { entryId, amount, why, provider, holdId, topUpId } = command;
  const { state, funds } = now;
  const taken = holdId === undefined ? undefined : openHold(now, holdId, amount);
  // The money of a dispute is gone, whatever the wallet contains: the bank of the card holder has decided. The money of
  // a hold is gone, too, because the hold was placed before the provider returned it to the card.
  if (why !== 'dispute' && !taken) {
    if (state.frozen) throw new DomainError('WALLET_FROZEN');
    mustBeAvailable(state, funds, amount);
  }
  const data = { entry_id: entryId, amount, hold_id: holdId, why, provider, topup_id: topUpId };
  return { events: [moneyEvent(state, FundsWithdrawn, data), ...restOf(state, taken, amount)] };
}

function setTerms({ state, funds }: Situation, { creditLimit, frozen }: SetTerms): Ruling {
  const limit = creditLimit !== undefined && compare(creditLimit, state.creditLimit) !== 0 ? creditLimit : undefined;
  const freeze = frozen === state.frozen ? undefined : frozen;
  if (limit === undefined && freeze === undefined) return { events: [] };
  // The reduction must be available: only a dispute may leave less than nothing available.
  const reduction = limit === undefined ? '0' : less(state, state.creditLimit, limit);
  if (isPositive(reduction)) mustBeAvailable(state, funds, reduction);
  return { events: [newEvent(WalletTermsSet, { credit_limit: limit, frozen: freeze })] };
}

/** The reason to refuse a payment; undefined: it is possible. */
function refusalOf(
  { frozen }: WalletState,
  { available }: Funds,
  required: string,
  isHeld = false,
): Refusal | undefined {
  if (frozen) return { code: 'WALLET_FROZEN', available, required };
  if (isHeld || compare(required, available) <= 0) return undefined;
  return { code: 'INSUFFICIENT_FUNDS', available, required };
}

const refused = (paymentId: string, refusal: Refusal): Ruling => ({
  events: [newEvent(PaymentRefused, { payment_id: paymentId, ...refusal })],
  refusal,
});

/** The hold that pays the amount. */
function openHold({ state, at }: Situation, holdId: string, amount: string): OpenHold {
  const found = state.holds.get(packed(holdId));
  if (!found || isExpired(found, at)) throw new DomainError('HOLD_GONE');
  if (compare(amount, found.left) > 0) throw new DomainError('AMOUNT_TOO_HIGH');
  return found;
}

/** The release of what a payment leaves of its hold. */
function restOf(state: WalletState, taken: OpenHold | undefined, amount: string): NewEvent[] {
  if (!taken) return [];
  const left = less(state, taken.left, amount);
  return isPositive(left) ? [releaseOf(state, { ...taken, left }, 'rest')] : [];
}

function mustBeAvailable({ currency }: WalletState, { available }: Funds, required: string): void {
  if (compare(required, available) > 0) throw new DomainError('INSUFFICIENT_FUNDS', { available, required, currency });
}

/**
 * A balance has at most as many digits as an amount. Refunds of orders are exempt: the order has already decided about
 * them, so a rejection would lose the money.
 */
function mustFit(state: WalletState, amount: string): void {
  if (compare(plus(state, state.customer, state.held, amount), MAX_AMOUNT) > 0)
    throw new DomainError('AMOUNT_TOO_HIGH');
}

interface MoneyData {
  readonly business: number;
  readonly amount: string;
  readonly lines: readonly Line[];
}

/** An event that moves money, with its lines. */
const moneyEvent = <Data extends MoneyData>(
  { business }: WalletState,
  type: EventType<Data>,
  data: Omit<Data, 'business' | 'lines'>,
): NewEvent => newEvent(type, { ...data, business, lines: linesOf(type.type, data) } as unknown as Data);
