/** Signed messages of the provider. They only say which payment has changed: the service then reads its state. */
import { z } from 'zod';
import { loadStripe } from './stripe-client.js';

/** Maximum age of a signature, in seconds. */
const TOLERANCE_S = 300;
/** A message from the future would stay valid for longer. */
const MAX_SKEW_S = TOLERANCE_S;

const messageSchema = z.object({
  id: z.string().min(1).max(255),
  data: z.object({
    object: z.object({
      id: z.string(),
      object: z.string(),
      payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
});

export interface SignedMessage {
  /** As it arrived. */
  readonly bytes: Buffer;
  /** The header `Stripe-Signature`. */
  readonly signature: string | undefined;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The id of the message; undefined: the signature is not valid, or too old. */
export async function verifiedId({ bytes, signature, secret, now }: SignedMessage): Promise<string | undefined> {
  if (signature === undefined) return undefined;
  const { webhooks } = await loadStripe();
  try {
    const event = webhooks.constructEvent(bytes, signature, secret, TOLERANCE_S, undefined, now);
    const sentAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]);
    return sentAt <= now / 1_000 + MAX_SKEW_S && typeof event.id === 'string' ? event.id : undefined;
  } catch {
    return undefined;
  }
}

/** What a message is about. */
export interface ChangedPayment {
  readonly metadata: Readonly<Record<string, string>> | null | undefined;
  /** The payment intent; undefined: the message does not name one. */
  readonly paymentId: string | undefined;
}

/** Undefined: the message concerns no payment. */
export function changedPayment(bytes: Buffer): ChangedPayment | undefined {
  const parsed = messageSchema.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success) return undefined;
  const { id, object, payment_intent: intent, metadata } = parsed.data.data.object;
  const named = typeof intent === 'object' ? intent?.id : intent;
  return { metadata, paymentId: object === 'payment_intent' ? id : (named ?? undefined) };
}
