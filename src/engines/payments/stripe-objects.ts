/** The members of the provider's objects that the service reads. All other members are ignored. */
import { z } from 'zod';

const metadata = z.record(z.string(), z.string()).nullish();

export const intentSchema = z.object({
  id: z.string(),
  object: z.literal('payment_intent'),
  status: z.string(),
  currency: z.string(),
  amount_received: z.int().nonnegative().default(0),
  client_secret: z.string().nullish(),
  cancellation_reason: z.string().nullish(),
  metadata,
});
export type Intent = z.infer<typeof intentSchema>;

export const sessionSchema = z.object({
  id: z.string(),
  object: z.literal('checkout.session'),
  status: z.string().nullable(),
  url: z.string().nullish(),
  payment_intent: z.union([z.string(), intentSchema]).nullish(),
  metadata,
});
export type Session = z.infer<typeof sessionSchema>;

export const refundSchema = z.object({
  id: z.string(),
  object: z.literal('refund'),
  status: z.string().nullable(),
  failure_reason: z.string().nullish(),
  metadata,
});

export const disputeSchema = z.object({
  id: z.string(),
  object: z.literal('dispute'),
  amount: z.int().nonnegative(),
  currency: z.string(),
  status: z.string(),
});

/** A page of a list. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), has_more: z.boolean() });

/** `payment_intents` have ids with `pi_`, checkout sessions with `cs_`. */
export const isSession = (remoteId: string): boolean => remoteId.startsWith('cs_');

/** Statuses of refunds at the provider; all others are pending. */
export const refundStatusOf = (status: string | null): 'pending' | 'succeeded' | 'failed' =>
  status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
