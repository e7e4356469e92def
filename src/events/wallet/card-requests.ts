/** What the payment provider gets. Neither request contains data of a person. */
import type { Checkout } from './card-payments.js';

/** A payment that the customer then makes at the provider. */
export interface PaymentRequest {
  readonly topUpId: number;
  readonly business: number;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
  readonly checkout: Checkout;
  readonly returnUrl?: string | undefined;
  /** RFC 3339: the end of the top-up. The payment was prepared less than 24 hours before. */
  readonly expiresAt: string;
}

/** A part of a payment that returns to the card. */
export interface CardRefundRequest {
  readonly topUpId: number;
  readonly refundId: string;
  /** The payment intent. */
  readonly paymentId: string;
  readonly amount: string;
  readonly currency: string;
}
