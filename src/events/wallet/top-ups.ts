/**
 * Events of a top-up: a customer announces a bank transfer, and staff confirm its arrival. Stream `topup-<id>`. The key
 * subject of the personal members is the customer's account, so its erasure erases them too. The amounts stay.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { amountSchema } from '../core/money.js';

export const TOP_UP_PREFIX = 'topup-';
export const topUpStream = (id: number): string => `${TOP_UP_PREFIX}${id}`;

export const TOP_UP_METHODS = ['bank_transfer'] as const;
export type TopUpMethod = (typeof TOP_UP_METHODS)[number];

/** Name of the timer that ends a pending top-up. */
export const TOP_UP_EXPIRY = 'expiry';
const clearsExpiry = { timers: () => ({ clear: TOP_UP_EXPIRY }) };

const begunSchema = z.object({
  topup_id: z.int(),
  business: z.int(),
  account_id: z.int(),
  /** The announced amount. */
  amount: amountSchema,
  currency: z.string(),
  method: z.enum(TOP_UP_METHODS),
  /** The text by which staff find the top-up of a transfer: see transfer-reference.ts. */
  reference: z.string(),
  /** The order that the customer wants to pay. */
  order_id: z.int().optional(),
  expires_at: z.iso.datetime(),
});
export type BegunTopUp = z.infer<typeof begunSchema>;

export const TopUpBegun = eventType('TopUpBegun', begunSchema, {
  timers: ({ expires_at }) => ({ set: { name: TOP_UP_EXPIRY, at: expires_at } }),
});

/** `amount`: the amount that arrived. `bank_reference`: the text with which the bank booked the transfer. */
export const BankTransferConfirmed = eventType(
  'BankTransferConfirmed',
  z.object({ amount: amountSchema, confirmed_by: z.int(), bank_reference: personal(z.string()) }),
  clearsExpiry,
);

export const TopUpExpired = eventType('TopUpExpired', z.object({}), clearsExpiry);

export const TOP_UP_EVENTS = [TopUpBegun, BankTransferConfirmed, TopUpExpired] as const;
