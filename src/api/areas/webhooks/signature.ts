/** Signatures by Standard Webhooks (standardwebhooks.com, 1.0): HMAC-SHA256 over id, timestamp and body. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A timestamp that is further off than this is a replay. Seconds. */
export const TOLERANCE = 300;

export interface SignedWebhook {
  readonly payload: string;
  readonly id: string;
  /** Seconds since 1970, as in the header. */
  readonly timestamp: string;
  /** `v1,<base64>`, several separated by spaces. */
  readonly signature: string;
}

/** `whsec_` stands before a secret in base64; any other secret is taken as it is. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);

export function isSignedBy(secret: string, { payload, id, timestamp, signature }: SignedWebhook): boolean {
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${payload}`).digest();
  // All are compared, so that the time taken does not tell which one fits.
  return signature
    .split(' ')
    .map((one) => fits(one, expected))
    .some(Boolean);
}

function fits(signature: string, expected: Buffer): boolean {
  const given = Buffer.from(/^v1,(.+)$/.exec(signature)?.[1] ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
