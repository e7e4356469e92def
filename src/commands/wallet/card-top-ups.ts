/**
 * Rules of top-ups by card: the service records each report of the provider once. A payment that
 * succeeds after the top-up has expired counts, too.
 */
import { compact } from '../../events/core/compact.js';
import { compare, exact, isPositive } from '../../events/core/money.js';
import type { EffectCommand } from '../../events/effects/records.js';
import {
  CARD_PAYMENT,
  CARD_REFUND,
  CardPaymentProcessing,
  CardRefundMade,
  CardRefundRefused,
  CardRefundRequested,
  TopUpDisputed,
  TopUpDisputeWon,
  TopUpFailed,
  TopUpSucceeded,
  type Checkout,
  type PaymentProvider,
  type RefundStatus,
} from '../../events/wallet/card-payments.js';
import type { BegunTopUp } from '../../events/wallet/top-ups.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { isOpenRefund, refundable, type CardRefund, type CardState } from './card-state.js';

/** Maximum number of refunds of one top-up. */
export const MAX_REFUNDS = 100;

/** How a new top-up is paid by card. */
export interface CardBeginning {
  readonly provider: PaymentProvider;
  readonly account: string;
  readonly checkout: Checkout;
  readonly returnUrl?: string | undefined;
  /** Keyed digest of the request to the provider. */
  readonly digest: string;
}

export const cardDataOf = ({ provider, account, checkout, returnUrl }: CardBeginning): BegunTopUp['card'] => ({
  provider,
  account,
  checkout,
  ...compact({ return_url: returnUrl }),
});

/** The state of the payment at the provider, in the currency of the top-up. */
export interface CardReport {
  readonly do: 'report';
  readonly payment:
    | { readonly status: 'pending' | 'processing' }
    | { readonly status: 'succeeded'; readonly amount: string; readonly paymentId: string }
    | { readonly status: 'failed'; readonly code: string };
  readonly refunds: readonly { readonly refundId: string; readonly status: RefundStatus; readonly code?: string }[];
  /** Disputes for which the provider has taken the amount back, and those that are won. */
  readonly disputes: readonly { readonly id: string; readonly amount: string; readonly isWon: boolean }[];
}

/** Staff return a part of a top-up to the card. `refundId`: derived from the request. */
export interface RequestRefund {
  readonly do: 'request_refund';
  readonly refundId: string;
  readonly business: number;
  /** The account that owns the wallet. */
  readonly accountId: number;
  readonly currency: string;
  readonly amount: string;
  readonly by: number;
}

/** The wallet holds the amount, so the provider may be called. `digest`: of the request to the provider. */
export interface BeginRefund {
  readonly do: 'begin_refund';
  readonly refundId: string;
  readonly digest: string;
}

/** The wallet does not have the amount. `code`: of its refusal. */
export interface RefuseRefund {
  readonly do: 'refuse_refund';
  readonly refundId: string;
  readonly code: string;
}

export type CardCommand = CardReport | RequestRefund | BeginRefund | RefuseRefund;

interface Known {
  readonly begun: BegunTopUp | undefined;
  readonly hasExpired: boolean;
  readonly card: CardState;
}

/** The events of a report. A repeated report changes nothing. */
export function reported({ begun, hasExpired, card }: Known, { payment, refunds, disputes }: CardReport): NewEvent[] {
  if (!begun?.card) throw new DomainError('NOT_FOUND');
  const { currency } = begun;
  const events: NewEvent[] = [];
  const isPending = card.received === undefined && card.failure === undefined;
  if (payment.status === 'succeeded' && card.received === undefined) {
    const { amount } = exact({ amount: payment.amount, currency });
    if (isPositive(amount)) events.push(newEvent(TopUpSucceeded, { amount, payment_id: payment.paymentId }));
  }
  if (payment.status === 'failed' && isPending && !hasExpired)
    events.push(newEvent(TopUpFailed, { code: payment.code }));
  if (payment.status === 'processing' && isPending && !card.isProcessing)
    events.push(newEvent(CardPaymentProcessing, {}));
  for (const { refundId, status, code } of refunds) {
    const refund = card.refunds.get(refundId);
    if (refund) events.push(...refundEvents(refundId, refund, status, code));
  }
  if (card.received !== undefined)
    for (const { id, amount: given, isWon } of disputes) {
      const { amount } = exact({ amount: given, currency });
      const known = card.disputes.get(id);
      if (!known && !isWon) events.push(newEvent(TopUpDisputed, { dispute_id: id, amount }));
      if (known && !known.isWon && isWon)
        events.push(newEvent(TopUpDisputeWon, { dispute_id: id, amount: known.amount }));
    }
  return events;
}

/** A refund that was paid out may still fail: the bank of the card sends the money back. */
function refundEvents(
  refund_id: string,
  refund: CardRefund,
  status: RefundStatus,
  code = 'failed',
): readonly NewEvent[] {
  const { amount, isMade, refusal } = refund;
  if (status === 'succeeded' && isOpenRefund(refund)) return [newEvent(CardRefundMade, { refund_id, amount })];
  if (status === 'failed' && (isMade || isOpenRefund(refund)) && refusal === undefined)
    return [newEvent(CardRefundRefused, { refund_id, amount, code })];
  return [];
}

/** Throws NOT_FOUND, CONFLICT or AMOUNT_TOO_HIGH. */
export function refundRequested({ begun, card }: Known, command: RequestRefund): NewEvent[] {
  const { refundId: refund_id, business, accountId, currency, by } = command;
  if (!begun?.card || begun.business !== business || begun.account_id !== accountId) throw new DomainError('NOT_FOUND');
  if (begun.currency !== currency) throw new DomainError('CONFLICT');
  const { amount } = exact({ amount: command.amount, currency });
  const known = card.refunds.get(refund_id);
  if (known) {
    if (compare(known.amount, amount) !== 0) throw new DomainError('CONFLICT');
    return [];
  }
  if (card.received === undefined || card.refunds.size >= MAX_REFUNDS) throw new DomainError('CONFLICT');
  if (compare(amount, refundable(card, currency)) > 0) throw new DomainError('AMOUNT_TOO_HIGH');
  return [newEvent(CardRefundRequested, { refund_id, amount, requested_by: by })];
}

export function refundRefused({ card }: Known, { refundId, code }: RefuseRefund): readonly NewEvent[] {
  const refund = card.refunds.get(refundId);
  return refund ? refundEvents(refundId, refund, 'failed', code) : [];
}

/** The events that follow from the recorded step of an effect, in the same append. `about`: the subject of the effect. */
export function followingEffect(
  { hasExpired, card }: Known,
  { kind, record }: EffectCommand,
  about: string,
): readonly NewEvent[] {
  if (kind === CARD_PAYMENT.kind && record?.step === 'refused') {
    const isPending = card.received === undefined && card.failure === undefined && !hasExpired;
    return isPending ? [newEvent(TopUpFailed, { code: record.code })] : [];
  }
  const refund = kind === CARD_REFUND.kind ? card.refunds.get(about) : undefined;
  if (!refund) return [];
  if (record?.step === 'refused') return refundEvents(about, refund, 'failed', record.code);
  if (record?.step === 'done') return refundEvents(about, refund, record.result['status'] as RefundStatus);
  return [];
}
