/**
 * Events of a top-up: a customer announces a bank transfer, and staff confirm its arrival; or a customer pays by card.
 * Stream `topup-<id>`. The key subject of the personal members is the customer's account, so its erasure erases them
 * too. The amounts stay.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { amountSchema } from '../core/money.js';
import { CARD_EVENTS, CHECKOUTS, PROVIDERS } from './card-payments.js';
import { TOP_UP_EXPIRY } from './top-up-timer.js';

export { TOP_UP_EXPIRY };

export const TOP_UP_PREFIX = 'topup-';
export const topUpStream = (id: number): string => `${TOP_UP_PREFIX}${id}`;

export const TOP_UP_METHODS = ['bank_transfer', 'card'] as const;
export type TopUpMethod = (typeof TOP_UP_METHODS)[number];

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
  /** For the method `card`. */
  card: z
    .object({
      provider: z.enum(PROVIDERS),
      /** The account at the provider: `operator`, or `business-<id>` for the keys of the business. */
      account: z.string(),
      checkout: z.enum(CHECKOUTS),
      /** The page to which the hosted page of the provider returns. */
      return_url: z.string().optional(),
    })
    .optional(),
});
export type BegunTopUp = z.infer<typeof begunSchema>;

export const TopUpBegun = eventType('TopUpBegun', begunSchema, {
  version: 2,
  upcast: { 1: (data) => data },
  timers: ({ expires_at }) => ({ set: { name: TOP_UP_EXPIRY, at: expires_at } }),
});

/** `amount`: the amount that arrived. `bank_reference`: the text with which the bank booked the transfer. */
export const BankTransferConfirmed = eventType(
  'BankTransferConfirmed',
  z.object({ amount: amountSchema, confirmed_by: z.int(), bank_reference: personal(z.string()) }),
  clearsExpiry,
);

export const TopUpExpired = eventType('TopUpExpired', z.object({}), clearsExpiry);

export const TOP_UP_EVENTS = [TopUpBegun, BankTransferConfirmed, TopUpExpired, ...CARD_EVENTS] as const;
