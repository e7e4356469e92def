/**
 * Recomputes the books from the events of all wallets alone, and finds events that cannot be right: by their form, by
 * the sum of their lines, or by the amounts before them.
 */
import { decode, type EventTypes } from '../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import { compare, exact, isNegative, isPositive } from '../../events/core/money.js';
import {
  BalanceAdjusted,
  FundsCaptured,
  FundsHeld,
  FundsReturned,
  FundsWithdrawn,
  HoldReleased,
  walletId,
  WalletOpened,
  walletOf,
  WalletTermsSet,
  type Line,
} from '../../events/wallet/events.js';
import { balancesOf, linesOf, type Balances } from '../../events/wallet/lines.js';
import { pastOf, type PastEvent } from '../core/decider.js';
import { KIND, evolve, initial, less, packed, plus, type WalletState } from './state.js';

/** The balances of a business in one currency, by account. */
export interface TrialBalance {
  readonly business: number;
  readonly currency: string;
  balances: Balances;
}

export class Books {
  readonly #types: EventTypes;
  readonly #wallets = new Map<string, WalletState>();
  readonly #balances = new Map<string, TrialBalance>();

  constructor(types: EventTypes) {
    this.#types = types;
  }

  get walletCount(): number {
    return this.#wallets.size;
  }

  /** Sorted by business and currency. */
  get trialBalances(): readonly TrialBalance[] {
    return [...this.#balances.values()].sort(
      (a, b) => a.business - b.business || (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : 0),
    );
  }

  /** Adds the next event of the log. Returns its fault; undefined if it is right. */
  add(stored: StoredEvent): string | undefined {
    const data = decode(stored, this.#types);
    if (this.#types.get(stored.type)?.schema.safeParse(data).success === false)
      return `its data does not have the form of ${stored.type}`;
    const event = pastOf(stored, data);
    const state = this.#wallets.get(stored.stream) ?? initial();
    const wrong = wrongIn(event, state, stored.stream);
    if (wrong !== undefined) return wrong;
    const before = { ...state };
    this.#wallets.set(stored.stream, evolve(state, event));
    this.#book(data, state);
    return wrongAfter(event, before, state);
  }

  #book(data: JsonObject, { business, currency }: WalletState): void {
    const lines = data['lines'] as unknown as readonly Line[] | undefined;
    if (!lines) return;
    const key = `${business}-${currency}`;
    const known = this.#balances.get(key) ?? { business: business!, currency, balances: {} };
    this.#balances.set(key, { ...known, balances: balancesOf(lines, known.balances, currency) });
  }
}

/** The fault of the event itself, or its contradiction to the wallet before it. */
function wrongIn(event: PastEvent, state: WalletState, stream: string): string | undefined {
  const { type, data } = event;
  if ((type === WalletOpened.type) !== (state.business === undefined))
    return state.business === undefined ? 'the wallet was not opened' : 'the wallet was opened before';
  if (type === WalletOpened.type)
    return walletId({ accountId: data['account_id'] as number, currency: data['currency'] as string }) ===
      walletId(walletOf(stream))
      ? undefined
      : 'it opens another wallet than its stream';
  return wrongLines(event, state) ?? wrongHold(event, state) ?? wrongRefund(event, state);
}

function wrongLines({ type, data }: PastEvent, state: WalletState): string | undefined {
  const expected = linesOf(type, data);
  if (!expected) return undefined;
  if (data['business'] !== state.business) return `it belongs to business ${String(data['business'])}`;
  const lines = data['lines'] as unknown as readonly Line[];
  if (lines.some(({ amount }) => !isExact(amount, state.currency))) return 'an amount has the wrong number of digits';
  const total = plus(state, '0', ...Object.values(balancesOf(lines, {}, state.currency)));
  if (compare(total, '0') !== 0) return `its lines sum to ${total}, not to zero`;
  if (JSON.stringify(lines.map(ordered)) !== JSON.stringify(expected.map(ordered)))
    return `its lines do not match its amount of ${String(data['amount'])}`;
  return undefined;
}

const ordered = ({ account, side, amount }: Line) => [account, side, amount];

function isExact(amount: string, currency: string): boolean {
  try {
    return exact({ amount, currency }).amount === amount;
  } catch {
    return false;
  }
}

/** An event that uses or releases a hold has at most the rest of it; a release has all of the rest. */
function wrongHold({ type, data }: PastEvent, state: WalletState): string | undefined {
  const holdId = data['hold_id'] as string | undefined;
  if (holdId === undefined || type === FundsHeld.type) return undefined;
  const hold = state.holds.get(packed(holdId));
  if (!hold) return `there is no hold ${holdId}`;
  const difference = compare(data['amount'] as string, hold.left);
  const isWrong = type === HoldReleased.type ? difference !== 0 : difference > 0;
  return isWrong ? `the hold has ${hold.left} left, not ${String(data['amount'])}` : undefined;
}

/** Refunds of a payment never exceed it. */
function wrongRefund({ type, data }: PastEvent, state: WalletState): string | undefined {
  if (type !== FundsReturned.type) return undefined;
  const id = packed(data['payment_id'] as string);
  const payment = state.entries.get(id);
  if (!payment?.startsWith(KIND.capture)) return `there is no payment ${String(data['payment_id'])}`;
  const left = less(state, payment.slice(1), state.returned.get(id) ?? '0');
  return compare(data['amount'] as string, left) > 0
    ? `the payment has ${left} that is not refunded, not ${String(data['amount'])}`
    : undefined;
}

/** Types of events that may leave less available, but never less than nothing. A dispute may. */
const SPENDING: ReadonlySet<string> = new Set(
  [FundsHeld, FundsCaptured, FundsWithdrawn, BalanceAdjusted, WalletTermsSet].map(({ type }) => type),
);

function wrongAfter({ type, data }: PastEvent, before: WalletState, after: WalletState): string | undefined {
  if (!SPENDING.has(type) || data['why'] === 'dispute') return undefined;
  const [was, is] = [before, after].map((state) => plus(state, state.customer, state.creditLimit));
  return isNegative(is!) && isPositive(less(after, was!, is!)) ? `it leaves ${is} available` : undefined;
}
