/**
 * Events of a top-up by card, in the stream of the top-up. The provider decides about the payment; the service records
 * each report. Two kinds of calls change something at the provider: the preparation of a payment, and a refund.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { amountSchema } from '../core/money.js';
import { effectSteps, stepEvents } from '../effects/steps.js';
import { TOP_UP_EXPIRY } from './top-up-timer.js';

/** `stripe`: Stripe, or another server with its protocol. `test`: a server on this machine that moves no money. */
export const PROVIDERS = ['stripe', 'test'] as const;
export type PaymentProvider = (typeof PROVIDERS)[number];

/** `embedded`: the app of the customer shows the form of the provider. `hosted`: the provider shows a page. */
export const CHECKOUTS = ['embedded', 'hosted'] as const;
export type Checkout = (typeof CHECKOUTS)[number];

/** Name of the adapter of both effects, which is also its name in the address of messages. */
export const CARD_ADAPTER = 'stripe';

/** `remote_id`: the payment intent, or the checkout session of a hosted page. It is no secret. */
export const CARD_PAYMENT = effectSteps(
  'card_payment',
  {
    begun: 'CardPaymentBegun',
    reserved: 'CardPaymentReserved',
    done: 'CardPaymentPrepared',
    refused: 'CardPaymentRefused',
    leftOpen: 'CardPaymentLeftOpen',
  },
  z.object({ remote_id: z.string() }),
);

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** The provider has accepted the refund. `status`: as of its acceptance; a pending refund may still fail. */
export const CARD_REFUND = effectSteps(
  'card_refund',
  {
    begun: 'CardRefundBegun',
    reserved: 'CardRefundReserved',
    done: 'CardRefundAccepted',
    refused: 'CardRefundDeclined',
    leftOpen: 'CardRefundLeftOpen',
  },
  z.object({ remote_id: z.string(), status: z.enum(REFUND_STATUSES) }),
);

const clearsExpiry = { timers: () => ({ clear: TOP_UP_EXPIRY }) };

/** The customer has paid, and the provider does not know the result yet. */
export const CardPaymentProcessing = eventType('CardPaymentProcessing', z.object({}));

/** `amount`: the amount that the provider reports. `payment_id`: the payment intent. Also after an expiry. */
export const TopUpSucceeded = eventType(
  'TopUpSucceeded',
  z.object({ amount: amountSchema, payment_id: z.string() }),
  clearsExpiry,
);

/** The card payment failed, and the wallet received no money. A declined card is not a failure: the customer may use another card. */
export const TopUpFailed = eventType('TopUpFailed', z.object({ code: z.string() }), clearsExpiry);

/** Staff want to return the amount to the card. `refund_id`: also the id of the hold and of the entry in the wallet. */
export const CardRefundRequested = eventType(
  'CardRefundRequested',
  z.object({ refund_id: z.uuid(), amount: amountSchema, requested_by: z.int() }),
);
export const CardRefundMade = eventType('CardRefundMade', z.object({ refund_id: z.uuid(), amount: amountSchema }));

/** The money stays with the business. Also after `CardRefundMade`, if the bank of the card sends the money back. */
export const CardRefundRefused = eventType(
  'CardRefundRefused',
  z.object({ refund_id: z.uuid(), amount: amountSchema, code: z.string() }),
);

/** The provider has taken the amount back, because the holder of the card disputes the payment. */
export const TopUpDisputed = eventType('TopUpDisputed', z.object({ dispute_id: z.string(), amount: amountSchema }));
/** The dispute is decided for the business, and the provider has returned the amount. */
export const TopUpDisputeWon = eventType('TopUpDisputeWon', z.object({ dispute_id: z.string(), amount: amountSchema }));

export const CARD_EVENTS = [
  ...stepEvents(CARD_PAYMENT),
  CardPaymentProcessing,
  TopUpSucceeded,
  TopUpFailed,
  CardRefundRequested,
  ...stepEvents(CARD_REFUND),
  CardRefundMade,
  CardRefundRefused,
  TopUpDisputed,
  TopUpDisputeWon,
] as const;
