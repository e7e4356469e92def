/**
 * Events of the bill of an order. They are in the stream of the order, so that the order and its bill are decided
 * together: an order cannot be cancelled and paid at the same time.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { amountSchema } from '../core/money.js';
import { FAMILIES } from '../pricing/families.js';
import { cardSchema } from '../pricing/card.js';
import { priceInputsSchema } from '../pricing/inputs.js';
import { LINE_KINDS } from '../pricing/outcome.js';
import { namesSchema } from '../pricing/values.js';

const text = z.string();
/** User id; absent if the service acts. */
const userId = z.int().optional();

/** Lines of a price, and in addition charges that the office sets and the fee of a cancellation. */
export const CHARGE_KINDS = [...LINE_KINDS, 'charge', 'cancellation_fee'] as const;

export const chargeSchema = z.object({
  code: text,
  kind: z.enum(CHARGE_KINDS),
  /** Names in the rate card. */
  names: namesSchema.optional(),
  amount: amountSchema,
  taxable: z.boolean(),
  /** Only of taxes. */
  tax_code: text.optional(),
  /** The other lines already include this tax. */
  is_included: z.literal(true).optional(),
  /** The numbers from which the amount was calculated. */
  basis: z.record(text, text).optional(),
});
export type Charge = z.infer<typeof chargeSchema>;

/** What the price was calculated from. Together with the version of the card, it explains the charges. */
export const chargeSourceSchema = z.object({
  /** The quote at which the order was placed. */
  rate_id: text.optional(),
  rate_card_id: z.int(),
  card_version: z.int(),
  service_code: text,
  inputs: priceInputsSchema,
  /** The fee in the card for a late cancellation by the customer. */
  cancellation_fee: cardSchema.shape.cancellation_fee,
});
export type ChargeSource = z.infer<typeof chargeSourceSchema>;

/** `offline`: the customer cannot pay in the service, because the business hides the prices of the family. */
export const SETTLEMENTS = ['online', 'offline'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

export const CHARGE_REASONS = ['agreed', 'repriced', 'cancelled'] as const;
export type ChargeReason = (typeof CHARGE_REASONS)[number];

/** The lines of a price, their sums, and their source. */
const priceShape = {
  currency: text,
  lines: z.array(chargeSchema),
  /** Texts of the office for its lines, by code. */
  line_names: personal(z.record(text, text)),
  /** Sum of the lines that are no taxes. */
  subtotal: amountSchema,
  surcharge_amount: amountSchema,
  /** Sum of all taxes, including those that the other lines include. */
  tax_amount: amountSchema,
  /** Sum of the lines that are no included taxes. */
  total: amountSchema,
  settlement: z.enum(SETTLEMENTS),
  source: chargeSourceSchema.optional(),
};

/** How the customer pays the remaining amount: at once from its wallet, or the order waits for the payment. */
export const REQUIRED_PAYMENTS = ['wallet', 'awaited'] as const;

/** The bill of the order that replaces a rerouted one. The received payments are carried over in any case. */
export const replacementBillSchema = z.object({
  /** The price for the other address. Absent: the price of the rerouted order. */
  price: z.object(priceShape).optional(),
  /** Absent: as the rerouted order. */
  payment: z.enum(REQUIRED_PAYMENTS).optional(),
  /** The order is held until the office sets its price. */
  awaits_price: z.literal(true).optional(),
});
export type ReplacementBill = z.infer<typeof replacementBillSchema>;

/** The charges of an order. They replace all earlier ones. */
export const ChargesSet = eventType(
  'ChargesSet',
  z.object({
    order_id: z.int(),
    business: z.int(),
    /** Account of the customer that pays. Absent: the order belongs to no customer. */
    customer_id: z.int().optional(),
    family: z.enum(FAMILIES),
    /** Number of the change of the charges, from 1. */
    bill_version: z.int(),
    ...priceShape,
    why: z.enum(CHARGE_REASONS),
    set_by: userId,
  }),
  // Version 1 did not encrypt the positions in `source`.
  { version: 2, upcast: { 1: (data) => data } },
);

/** A payment from the wallet of the account. It is open until PaymentReceived or PaymentFailed. */
export const PaymentBegun = eventType(
  'PaymentBegun',
  z.object({
    payment_id: z.uuid(),
    amount: amountSchema,
    currency: text,
    account_id: z.int(),
    bill_version: z.int(),
    /** The order waits for this payment: it is held if the payment fails. */
    required: z.literal(true).optional(),
    begun_by: userId,
  }),
  { version: 2, upcast: { 1: (data) => data } },
);

/** Ways to pay outside of the service, which the office records. */
export const OUTSIDE_METHODS = ['cash', 'bank', 'card_terminal', 'other'] as const;
export const PAYMENT_METHODS = ['wallet', ...OUTSIDE_METHODS] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PaymentReceived = eventType(
  'PaymentReceived',
  z.object({
    payment_id: z.uuid(),
    amount: amountSchema,
    currency: text,
    method: z.enum(PAYMENT_METHODS),
    reference: personal(text),
    /** When the business received a payment outside of the service: RFC 3339. */
    received_at: text.optional(),
    received_by: userId,
    /** The rerouted order that received the payment before. The payment keeps its id. */
    carried_from: z.int().optional(),
    /** Owner of the wallet that paid. Only of a payment that was carried over; otherwise PaymentBegun names it. */
    account_id: z.int().optional(),
  }),
  { version: 2, upcast: { 1: (data) => data } },
);

export const PAYMENT_FAILURES = ['INSUFFICIENT_FUNDS', 'WALLET_FROZEN', 'NO_WALLET_IN_CURRENCY'] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];

export const PaymentFailed = eventType(
  'PaymentFailed',
  z.object({ payment_id: z.uuid(), code: z.enum(PAYMENT_FAILURES) }),
);

/** `outside`: the business returns the money outside of the service. */
export const REQUESTED_REFUND_TARGETS = ['wallet', 'outside'] as const;
/** `replacement`: the order was rerouted, and its replacement has the payment now. No money moves. */
export const REFUND_TARGETS = [...REQUESTED_REFUND_TARGETS, 'replacement'] as const;
export type RefundTarget = (typeof REFUND_TARGETS)[number];

export const RefundBegun = eventType(
  'RefundBegun',
  z.object({
    refund_id: z.uuid(),
    payment_id: z.uuid(),
    amount: amountSchema,
    currency: text,
    to: z.enum(REFUND_TARGETS),
    /** `requested`: by the office. Otherwise the refund follows from new charges. */
    why: z.enum(['requested', 'repriced', 'cancelled']),
    reason: personal(text),
    begun_by: userId,
  }),
  { version: 2, upcast: { 1: (data) => data } },
);

export const RefundMade = eventType('RefundMade', z.object({ refund_id: z.uuid() }));

export const BILL_EVENTS = [ChargesSet, PaymentBegun, PaymentReceived, PaymentFailed, RefundBegun, RefundMade] as const;
