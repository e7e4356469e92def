/**
 * The state of a wallet: its balance, its open holds, and the ids and amounts of its entries. A wallet may have
 * 100,000 entries, so each id takes one short text.
 */
import { minus, sum } from '../../events/core/money.js';
import {
  BalanceAdjusted,
  FundsAdded,
  FundsCaptured,
  FundsHeld,
  FundsReturned,
  FundsWithdrawn,
  HoldReleased,
  PaymentRefused,
  WalletOpened,
  WalletTermsSet,
} from '../../events/wallet/events.js';
import type { PastEvent } from '../core/decider.js';
import type { Refusal } from './command.js';

/** The kinds of entries, in one letter each. */
export const KIND = { credit: 'a', adjust: 'b', capture: 'c', return: 'r', withdraw: 'w', setTerms: 't' } as const;

export interface OpenHold {
  readonly id: string;
  /** The amount of the hold when it was placed. */
  readonly amount: string;
  /** The part that is neither captured nor released. */
  readonly left: string;
  readonly expiresAt: string | undefined;
}

export interface WalletState {
  /** Undefined: the wallet does not exist yet. */
  business: number | undefined;
  currency: string;
  /** Credit balance of the account `customer`: money that is neither held nor spent. */
  customer: string;
  /** Credit balance of the account `held`. */
  held: string;
  creditLimit: string;
  frozen: boolean;
  /** By packed id. */
  readonly holds: Map<string, OpenHold>;
  /** Holds that ended: `+` if they were used, else `-`, followed by their amount. */
  readonly endedHolds: Map<string, string>;
  /** The letter of the kind, followed by the amount. */
  readonly entries: Map<string, string>;
  /** The returned amount of payments that were returned in part or in full. */
  readonly returned: Map<string, string>;
  readonly refused: Map<string, Refusal>;
}

export const initial = (): WalletState => ({
  business: undefined,
  currency: '',
  customer: '0',
  held: '0',
  creditLimit: '0',
  frozen: false,
  holds: new Map(),
  endedHolds: new Map(),
  entries: new Map(),
  returned: new Map(),
  refused: new Map(),
});

/** The 16 bytes of a UUID as text: half the memory of the UUID. Other texts are returned unchanged. */
export const packed = (id: string): string =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
    ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1')
    : id;

const textOf = (event: PastEvent, member: string): string => event.data[member] as string;

/** Applies one event. Changes the state and returns it. */
export function evolve(state: WalletState, event: PastEvent): WalletState {
  EVOLVE[event.type]?.(state, event);
  return state;
}

const EVOLVE: Readonly<Record<string, (state: WalletState, event: PastEvent) => void>> = {
  [WalletOpened.type](state, { data }) {
    state.business = data['business'] as number;
    state.currency = data['currency'] as string;
    for (const account of ['customer', 'held', 'creditLimit'] as const) state[account] = plus(state, '0', '0');
  },
  [FundsAdded.type](state, event) {
    remember(state, event, KIND.credit);
    deposit(state, textOf(event, 'amount'));
  },
  [BalanceAdjusted.type](state, event) {
    remember(state, event, KIND.adjust);
    deposit(state, textOf(event, 'amount'));
  },
  [FundsHeld.type](state, event) {
    const amount = textOf(event, 'amount');
    state.customer = less(state, state.customer, amount);
    state.held = plus(state, state.held, amount);
    const expiresAt = event.data['expires_at'] as string | undefined;
    const id = textOf(event, 'hold_id');
    state.holds.set(packed(id), { id, amount, left: amount, expiresAt });
  },
  [HoldReleased.type](state, event) {
    const amount = textOf(event, 'amount');
    state.held = less(state, state.held, amount);
    deposit(state, amount);
    endHold(state, textOf(event, 'hold_id'), event.data['why'] === 'rest');
  },
  [FundsCaptured.type](state, event) {
    remember(state, event, KIND.capture);
    spend(state, event);
  },
  [FundsWithdrawn.type](state, event) {
    remember(state, event, KIND.withdraw);
    spend(state, event);
  },
  [FundsReturned.type](state, event) {
    remember(state, event, KIND.return);
    const payment = packed(textOf(event, 'payment_id'));
    const amount = textOf(event, 'amount');
    state.returned.set(payment, plus(state, state.returned.get(payment) ?? '0', amount));
    deposit(state, amount);
  },
  [PaymentRefused.type](state, { data }) {
    const { payment_id, code, available, required } = data as unknown as Refusal & { readonly payment_id: string };
    state.refused.set(packed(payment_id), { code, available, required });
  },
  [WalletTermsSet.type](state, event) {
    const { credit_limit, frozen } = event.data as { credit_limit?: string; frozen?: boolean };
    state.entries.set(packed(event.id), KIND.setTerms);
    state.creditLimit = credit_limit ?? state.creditLimit;
    state.frozen = frozen ?? state.frozen;
  },
};

const remember = (state: WalletState, event: PastEvent, kind: string): void =>
  void state.entries.set(packed(textOf(event, 'entry_id')), kind + textOf(event, 'amount'));

const deposit = (state: WalletState, amount: string): void =>
  void (state.customer = plus(state, state.customer, amount));

/** Takes the amount of a capture or withdrawal from its hold, or from the wallet. */
function spend(state: WalletState, event: PastEvent): void {
  const amount = textOf(event, 'amount');
  const holdId = event.data['hold_id'] as string | undefined;
  if (holdId === undefined) {
    state.customer = less(state, state.customer, amount);
    return;
  }
  state.held = less(state, state.held, amount);
  const hold = state.holds.get(packed(holdId));
  if (!hold) return;
  const left = less(state, hold.left, amount);
  state.holds.set(packed(holdId), { ...hold, left });
  if (left === less(state, '0', '0')) endHold(state, holdId, true);
}

function endHold(state: WalletState, holdId: string, isUsed: boolean): void {
  const id = packed(holdId);
  const hold = state.holds.get(id);
  if (!hold) return;
  state.holds.delete(id);
  state.endedHolds.set(id, (isUsed ? '+' : '-') + hold.amount);
}

export const plus = ({ currency }: Pick<WalletState, 'currency'>, ...[first, ...others]: [string, ...string[]]) =>
  sum({ amount: first, currency }, ...others.map((amount) => ({ amount, currency }))).amount;
export const less = ({ currency }: Pick<WalletState, 'currency'>, first: string, second: string): string =>
  minus({ amount: first, currency }, { amount: second, currency }).amount;
