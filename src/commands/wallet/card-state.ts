/** The card payment of one top-up, as the events of its stream show it. */
import { minus, sum } from '../../events/core/money.js';
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
} from '../../events/wallet/card-payments.js';
import type { PastEvent } from '../core/decider.js';

export interface CardRefund {
  readonly amount: string;
  /** RFC 3339: when staff requested it. Undefined while the request is being decided. */
  readonly requestedAt: string | undefined;
  /** The provider has accepted it under this id. */
  readonly remoteId?: string;
  /** The provider has paid the amount out. */
  readonly isMade: boolean;
  /** Why the money stays with the business. */
  readonly refusal?: string;
}

export interface Dispute {
  readonly amount: string;
  readonly isWon: boolean;
}

export interface CardState {
  /** The payment intent or the checkout session. */
  remoteId: string | undefined;
  isProcessing: boolean;
  /** The amount that the provider reported. */
  received: string | undefined;
  /** The payment intent of the received amount. */
  paymentId: string | undefined;
  failure: string | undefined;
  readonly refunds: Map<string, CardRefund>;
  readonly disputes: Map<string, Dispute>;
}

export const initialCard = (): CardState => ({
  remoteId: undefined,
  isProcessing: false,
  received: undefined,
  paymentId: undefined,
  failure: undefined,
  refunds: new Map(),
  disputes: new Map(),
});

/** Whether the provider may still decide about the refund. */
export const isOpenRefund = ({ isMade, refusal }: CardRefund): boolean => !isMade && refusal === undefined;

/** The received amount that was neither returned nor disputed. */
export function refundable({ received = '0', refunds, disputes }: CardState, currency: string): string {
  const money = (amount: string) => ({ amount, currency });
  const gone = [
    ...[...refunds.values()].filter(({ refusal }) => refusal === undefined),
    ...[...disputes.values()].filter(({ isWon }) => !isWon),
  ];
  return minus(money(received), sum(money('0'), ...gone.map(({ amount }) => money(amount)))).amount;
}

/** Applies one event. Changes the state. */
export function noteCardEvent(state: CardState, { type, data, recordedAt }: PastEvent): void {
  const text = (member: string): string => data[member] as string;
  const change = (change: Partial<CardRefund>): void => {
    const refund = state.refunds.get(text('refund_id'));
    if (refund) state.refunds.set(text('refund_id'), { ...refund, ...change });
  };
  switch (type) {
    case CARD_PAYMENT.done.type:
      state.remoteId = (data['result'] as { readonly remote_id: string }).remote_id;
      break;
    case CardPaymentProcessing.type:
      state.isProcessing = true;
      break;
    case TopUpSucceeded.type:
      state.received = text('amount');
      state.paymentId = text('payment_id');
      break;
    case TopUpFailed.type:
      state.failure = text('code');
      break;
    case CardRefundRequested.type:
      state.refunds.set(text('refund_id'), { amount: text('amount'), requestedAt: recordedAt, isMade: false });
      break;
    case CardRefundMade.type:
      change({ isMade: true });
      break;
    case CardRefundRefused.type:
      change({ refusal: text('code') });
      break;
    case TopUpDisputed.type:
    case TopUpDisputeWon.type:
      state.disputes.set(text('dispute_id'), { amount: text('amount'), isWon: type === TopUpDisputeWon.type });
      break;
  }
}

/** The provider's id of an accepted refund. `refundId`: the subject of the effect. */
export function noteAcceptedRefund(state: CardState, { type, data }: PastEvent, refundId: string | undefined): void {
  const refund = type === CARD_REFUND.done.type && refundId !== undefined ? state.refunds.get(refundId) : undefined;
  const { remote_id: remoteId } = (data['result'] ?? {}) as { readonly remote_id?: string };
  if (refund && remoteId !== undefined) state.refunds.set(refundId!, { ...refund, remoteId });
}
