/**
 * Signatures of Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`. Signer and verifier
 * share what a secret's key is.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A timestamp that is further off than this is a replay. Seconds. */
export const TOLERANCE = 300;
const PREFIX = 'whsec_';

/** `asText`: it was set when every secret was signed by its text, whatever it begins with. */
export interface SigningSecret {
  readonly secret: string;
  readonly asText?: boolean;
}

/** `whsec_` precedes a secret in base64; any other secret is taken as it is. */
export const keyOf = (signing: SigningSecret): Buffer =>
  isDecoded(signing) ? Buffer.from(signing.secret.slice(PREFIX.length), 'base64') : Buffer.from(signing.secret);

/** Whether the key is what the secret decodes to. */
export const isDecoded = ({ secret, asText = false }: SigningSecret): boolean => secret.startsWith(PREFIX) && !asText;

/** Whether a secret can be decoded, where it says that it is base64; a key has 16 bytes at least. */
export const isSecret = (secret: string): boolean =>
  !secret.startsWith(PREFIX) || (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) && keyOf({ secret }).length >= 16);

const sign = (key: Buffer, id: string, timestamp: string, body: Buffer | string): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();

/**
 * `secrets`: the newest first; each gives a signature, so that a receiver may know either. `at`: milliseconds since
 * 1970.
 */
export function signatureHeaders(
  id: string,
  at: number,
  body: Buffer,
  secrets: readonly SigningSecret[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => `v1,${sign(keyOf(secret), id, timestamp, body).toString('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

export interface SignedWebhook {
  readonly payload: string;
  readonly id: string;
  /** Seconds since 1970, as in the header. */
  readonly timestamp: string;
  /** `v1,<base64>`, several separated by spaces. */
  readonly signature: string;
}

export function isSignedBy(secret: string, { payload, id, timestamp, signature }: SignedWebhook): boolean {
  const expected = sign(keyOf({ secret }), id, timestamp, payload);
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
