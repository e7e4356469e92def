/**
 * Decides about one top-up. It is pending until staff confirm the bank transfer, until the provider reports the card
 * payment, or until it expires. It expires by the clock alone, even before the expiry is recorded. The ids of its events
 * are derived from the top-up, its refunds and its disputes, because each type occurs at most once for each of them.
 */
import type { Fact } from '../../events/core/codec.js';
import { compare, exact } from '../../events/core/money.js';
import type { Expire } from '../../events/core/timers.js';
import { accountSubject } from '../../events/accounts/events.js';
import type { EffectCommand, EffectReply } from '../../events/effects/records.js';
import { derivedId } from '../../events/otep/identity.js';
import { CARD_ADAPTER, CARD_PAYMENT, CARD_REFUND } from '../../events/wallet/card-payments.js';
import {
  BankTransferConfirmed,
  TOP_UP_EXPIRY,
  TopUpBegun,
  TopUpExpired,
  topUpStream,
  type BegunTopUp,
} from '../../events/wallet/top-ups.js';
import { transferReference } from '../../events/wallet/transfer-reference.js';
import type { Decider, Decision, PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { effectIdOf } from '../../events/effects/progress.js';
import { beginEffect, noteEffect, recordEffect, type EffectBook } from '../effects/book.js';
import { initialCard, isOpenRefund, noteAcceptedRefund, noteCardEvent, type CardState } from './card-state.js';
import {
  cardDataOf,
  followingEffect,
  refundRefused,
  refundRequested,
  reported,
  type BeginRefund,
  type CardBeginning,
  type CardCommand,
} from './card-top-ups.js';

/** A customer announces a bank transfer, or wants to pay by card. */
export interface BeginTopUp {
  readonly do: 'begin';
  readonly accountId: number;
  readonly amount: string;
  readonly currency: string;
  readonly orderId?: number | undefined;
  /** Absent: the top-up is paid by bank transfer. */
  readonly card?: CardBeginning | undefined;
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
export type TopUpCommand = (BeginTopUp & Addressed) | TopUpConfirmation | Expire | CardCommand | EffectCommand;

export interface TopUpState {
  /** Undefined: the top-up does not exist. */
  begun: BegunTopUp | undefined;
  /** The amount of the transfer that arrived; undefined: not confirmed. */
  confirmed: string | undefined;
  hasExpired: boolean;
  effects: EffectBook;
  readonly card: CardState;
}

const HOUR_MS = 3_600_000;
const LIFETIME_MS = { bank_transfer: 14 * 24 * HOUR_MS, card: 24 * HOUR_MS } as const;
/** The subject of the effect that prepares the card payment: a top-up has one. */
const PAYMENT = 'payment';

export const topUps: Decider<TopUpState, TopUpCommand, EffectReply> = {
  initial: () => ({
    begun: undefined,
    confirmed: undefined,
    hasExpired: false,
    effects: new Map(),
    card: initialCard(),
  }),
  begins: (command) => command.do === 'begin',

  decide(state, command) {
    switch (command.do) {
      case 'begin':
        return begin(state, command);
      case 'confirm':
        return decided(confirm(state, command), state.begun);
      case 'expire':
        return decided(expire(state, command), state.begun);
      case 'report':
        return decided(reported(state, command), state.begun);
      case 'request_refund':
        return decided(refundRequested(state, command), state.begun);
      case 'refuse_refund':
        return decided(refundRefused(state, command), state.begun);
      case 'begin_refund':
        return beginRefund(state, command);
      case 'effect':
        return recordStep(state, command);
    }
  },

  evolve(state, event: PastEvent) {
    const { type, data } = event;
    if (type === TopUpBegun.type) state.begun = data as unknown as BegunTopUp;
    if (type === BankTransferConfirmed.type) state.confirmed = data['amount'] as string;
    if (type === TopUpExpired.type) state.hasExpired = true;
    state.effects = noteEffect([CARD_PAYMENT, CARD_REFUND], state.effects, event);
    noteCardEvent(state.card, event);
    noteAcceptedRefund(state.card, event, state.effects.get(effectIdOf(data))?.about);
    return state;
  },
};

/** Callers check the digits of amounts, so a wrong one is a defect. */
function begin({ begun, effects }: TopUpState, command: BeginTopUp & Addressed): Decision<EffectReply> {
  const { id, business, accountId, currency, orderId, card, at } = command;
  const { amount } = exact({ amount: command.amount, currency });
  const method = card ? 'card' : 'bank_transfer';
  if (begun) {
    const isSame = begun.business === business && begun.account_id === accountId && begun.method === method;
    if (!isSame || begun.amount !== amount || begun.currency !== currency) throw new DomainError('CONFLICT');
  }
  const beginning = newEvent(TopUpBegun, {
    topup_id: id,
    business,
    account_id: accountId,
    amount,
    currency,
    method,
    reference: transferReference(id),
    ...(orderId !== undefined && { order_id: orderId }),
    expires_at: new Date(at + LIFETIME_MS[method]).toISOString(),
    ...(card && { card: cardDataOf(card) }),
  });
  const { facts } = decided(begun ? [] : beginning, { topup_id: id, account_id: accountId });
  if (!card) return { facts, reply: NO_EFFECT };
  const { account, digest } = card;
  const about = { stream: topUpStream(id), business, about: PAYMENT, adapter: CARD_ADAPTER, account, digest };
  // A refused payment is not attempted again: the customer begins another top-up.
  const paying = begun ? lastPayment(effects) : beginEffect(CARD_PAYMENT, effects, about);
  return { facts: [...facts, ...paying.facts], reply: paying.reply };
}

const NO_EFFECT: EffectReply = { effect: undefined };

const lastPayment = (effects: EffectBook): Decision<EffectReply> => ({
  facts: [],
  reply: { effect: [...effects.values()].find(({ about }) => about === PAYMENT) },
});

/** Begins the call that returns money to the card. The wallet holds the amount. */
function beginRefund({ begun, card, effects }: TopUpState, { refundId, digest }: BeginRefund): Decision<EffectReply> {
  const refund = card.refunds.get(refundId);
  if (!begun?.card || !refund) throw new DomainError('NOT_FOUND');
  if (!isOpenRefund(refund))
    return { facts: [], reply: { effect: [...effects.values()].find(({ about }) => about === refundId) } };
  const { topup_id, business } = begun;
  const { account } = begun.card;
  const about = { stream: topUpStream(topup_id), business, about: refundId, adapter: CARD_ADAPTER, account, digest };
  return beginEffect(CARD_REFUND, effects, about);
}

/** Records a step of an effect, and the events that follow from it. */
function recordStep(state: TopUpState, command: EffectCommand): Decision<EffectReply> {
  const { begun, effects } = state;
  const subject = begun && accountSubject(begun.account_id);
  const { facts, reply } = recordEffect([CARD_PAYMENT, CARD_REFUND], effects, command, subject);
  if (facts.length === 0 || !reply.effect) return { facts, reply };
  const following = decided(followingEffect(state, command, reply.effect.about), begun);
  return { facts: [...facts, ...following.facts], reply };
}

function confirm({ begun, confirmed, hasExpired }: TopUpState, command: TopUpConfirmation): NewEvent | undefined {
  const { business, by, bankReference, at } = command;
  if (begun?.business !== business) throw new DomainError('NOT_FOUND');
  if (begun.method !== 'bank_transfer') throw new DomainError('CONFLICT');
  const { amount } = exact({ amount: command.amount, currency: begun.currency });
  if (confirmed !== undefined) {
    if (compare(confirmed, amount) !== 0) throw new DomainError('CONFLICT');
    return undefined;
  }
  if (hasExpired || Date.parse(begun.expires_at) <= at) throw new DomainError('CONFLICT');
  return newEvent(BankTransferConfirmed, { amount, confirmed_by: by, bank_reference: bankReference });
}

/** The timer may come late or twice. */
function expire({ begun, confirmed, hasExpired, card }: TopUpState, { name, now }: Expire): NewEvent | undefined {
  const hasEnded = confirmed !== undefined || card.received !== undefined || card.failure !== undefined || hasExpired;
  const isDue = begun && !hasEnded && name === TOP_UP_EXPIRY && Date.parse(begun.expires_at) <= now;
  return isDue ? newEvent(TopUpExpired, {}) : undefined;
}

function decided(
  events: NewEvent | readonly NewEvent[] | undefined,
  topUp: Pick<BegunTopUp, 'topup_id' | 'account_id'> | undefined,
): Decision<EffectReply> {
  if (!topUp) return { facts: [], reply: NO_EFFECT };
  const facts = [events ?? []].flat().map((event): Fact => {
    const { refund_id, dispute_id } = event.data as Readonly<Record<string, string | undefined>>;
    const about = refund_id ?? dispute_id;
    const id = derivedId('top-up', topUp.topup_id, event.type.type, ...(about === undefined ? [] : [about]));
    return { id, ...event, subject: accountSubject(topUp.account_id) };
  });
  return { facts, reply: NO_EFFECT };
}
