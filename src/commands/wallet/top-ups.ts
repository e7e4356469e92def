/**
 * Decides about one top-up by bank transfer. It is pending until staff confirm the transfer, or until it expires. It
 * expires by the clock alone, even before the expiry is recorded. The ids of its events are derived from the top-up,
 * because each type occurs at most once.
 */
import type { Fact } from '../../events/core/codec.js';
import { compare, exact } from '../../events/core/money.js';
import type { Expire } from '../../events/core/timers.js';
import { accountSubject } from '../../events/accounts/events.js';
import { derivedId } from '../../events/otep/identity.js';
import {
  BankTransferConfirmed,
  TOP_UP_EXPIRY,
  TopUpBegun,
  TopUpExpired,
  type BegunTopUp,
} from '../../events/wallet/top-ups.js';
import { transferReference } from '../../events/wallet/transfer-reference.js';
import type { Decider, Decision, PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';

/** A customer announces a bank transfer. */
export interface BeginTopUp {
  readonly do: 'begin';
  readonly accountId: number;
  readonly amount: string;
  readonly currency: string;
  readonly orderId?: number | undefined;
}

/** The transfer has arrived. `amount`: the amount that arrived, which may differ from the announced one. */
export interface ConfirmTopUp {
  readonly do: 'confirm';
  readonly amount: string;
  readonly by: number;
  readonly bankReference?: string | undefined;
}

interface Addressed {
  readonly id: number;
  readonly business: number;
  /** Time of the command, in milliseconds since 1970. */
  readonly at: number;
}
export type TopUpConfirmation = ConfirmTopUp & Addressed;
export type TopUpCommand = (BeginTopUp & Addressed) | TopUpConfirmation | Expire;

export interface TopUpState {
  /** Undefined: the top-up does not exist. */
  begun: BegunTopUp | undefined;
  /** The amount that arrived; undefined: not confirmed. */
  confirmed: string | undefined;
  hasExpired: boolean;
}

const LIFETIME_MS = 14 * 24 * 3_600_000;

export const topUps: Decider<TopUpState, TopUpCommand, undefined> = {
  initial: () => ({ begun: undefined, confirmed: undefined, hasExpired: false }),
  begins: (command) => command.do === 'begin',

  decide(state, command) {
    switch (command.do) {
      case 'begin':
        return decided(begin(state, command), { topup_id: command.id, account_id: command.accountId });
      case 'confirm':
        return decided(confirm(state, command), state.begun);
      case 'expire':
        return decided(expire(state, command), state.begun);
    }
  },

  evolve(state, { type, data }: PastEvent) {
    if (type === TopUpBegun.type) state.begun = data as unknown as BegunTopUp;
    if (type === BankTransferConfirmed.type) state.confirmed = data['amount'] as string;
    if (type === TopUpExpired.type) state.hasExpired = true;
    return state;
  },
};

/** Callers check the digits of amounts, so a wrong one is a defect. */
function begin({ begun }: TopUpState, command: BeginTopUp & Addressed): NewEvent | undefined {
  const { id, business, accountId, currency, orderId, at } = command;
  const { amount } = exact({ amount: command.amount, currency });
  if (begun) {
    const isSame = begun.business === business && begun.account_id === accountId;
    if (!isSame || begun.amount !== amount || begun.currency !== currency) throw new DomainError('CONFLICT');
    return undefined;
  }
  return newEvent(TopUpBegun, {
    topup_id: id,
    business,
    account_id: accountId,
    amount,
    currency,
    method: 'bank_transfer',
    reference: transferReference(id),
    ...(orderId !== undefined && { order_id: orderId }),
    expires_at: new Date(at + LIFETIME_MS).toISOString(),
  });
}

function confirm({ begun, confirmed, hasExpired }: TopUpState, command: TopUpConfirmation): NewEvent | undefined {
  const { business, by, bankReference, at } = command;
  if (begun?.business !== business) throw new DomainError('NOT_FOUND');
  const { amount } = exact({ amount: command.amount, currency: begun.currency });
  if (confirmed !== undefined) {
    if (compare(confirmed, amount) !== 0) throw new DomainError('CONFLICT');
    return undefined;
  }
  if (hasExpired || Date.parse(begun.expires_at) <= at) throw new DomainError('CONFLICT');
  return newEvent(BankTransferConfirmed, { amount, confirmed_by: by, bank_reference: bankReference });
}

/** The timer may come late or twice. */
function expire({ begun, confirmed, hasExpired }: TopUpState, { name, now }: Expire): NewEvent | undefined {
  const isPending = begun !== undefined && confirmed === undefined && !hasExpired;
  const isDue = isPending && name === TOP_UP_EXPIRY && Date.parse(begun.expires_at) <= now;
  return isDue ? newEvent(TopUpExpired, {}) : undefined;
}

function decided(
  event: NewEvent | undefined,
  topUp: Pick<BegunTopUp, 'topup_id' | 'account_id'> | undefined,
): Decision<undefined> {
  if (!event || !topUp) return { facts: [], reply: undefined };
  const id = derivedId('top-up', topUp.topup_id, event.type.type);
  const fact: Fact = { id, ...event, subject: accountSubject(topUp.account_id) };
  return { facts: [fact], reply: undefined };
}
