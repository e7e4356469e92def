/** The requests to the provider. They follow from the events of the top-up, so every repetition is the same. */
import type { CardRefundRequest, PaymentRequest } from '../../events/wallet/card-requests.js';
import type { BegunTopUp } from '../../events/wallet/top-ups.js';
import type { TopUpState } from './top-ups.js';

/** Undefined: the top-up is not paid by card. */
export function paymentRequestOf(begun: BegunTopUp | undefined): PaymentRequest | undefined {
  if (!begun?.card) return undefined;
  const { topup_id: topUpId, business, amount, currency, reference, expires_at: expiresAt } = begun;
  const { checkout, return_url: returnUrl } = begun.card;
  return { topUpId, business, amount, currency, reference, checkout, returnUrl, expiresAt };
}

/** Undefined: the top-up has no such refund. */
export function refundRequestOf({ begun, card }: TopUpState, refundId: string): CardRefundRequest | undefined {
  const refund = card.refunds.get(refundId);
  if (!begun || !refund || card.paymentId === undefined) return undefined;
  const { topup_id: topUpId, currency } = begun;
  return { topUpId, refundId, paymentId: card.paymentId, amount: refund.amount, currency };
}
