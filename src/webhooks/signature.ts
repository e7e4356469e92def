/**
 * Signatures of Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`. Signer and verifier
 * derive the key from a secret in the same way.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum age of a timestamp in seconds; an older one is considered a replay. */
export const TOLERANCE = 300;
const PREFIX = 'whsec_';

/** `asText`: the secret was set when the text of every secret was the key, regardless of its prefix. */
export interface SigningSecret {
  readonly secret: string;
  readonly asText?: boolean;
}

/**
 * Returns the key of a secret. A secret with the prefix `whsec_` is decoded as base64; any other secret is used as
 * text.
 */
export const keyOf = (signing: SigningSecret): Buffer =>
  isDecoded(signing) ? Buffer.from(signing.secret.slice(PREFIX.length), 'base64') : Buffer.from(signing.secret);

/** Returns whether the key is the decoded secret. */
export const isDecoded = ({ secret, asText = false }: SigningSecret): boolean => secret.startsWith(PREFIX) && !asText;

/** Base64 of four characters for three bytes; the last group can lack its padding. */
const CODED = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Returns whether a secret is valid. With the prefix `whsec_` it must be base64 of at least 16 bytes. */
export const isSecret = (secret: string): boolean =>
  !secret.startsWith(PREFIX) || (CODED.test(secret) && keyOf({ secret }).length >= 16);

const sign = (key: Buffer, id: string, timestamp: string, body: Buffer | string): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();

/**
 * `secrets`: newest first. Each secret gives a signature, so that a receiver can verify with any of them. `at`:
 * milliseconds since 1970.
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
  // All signatures are compared, so that the duration does not reveal which one matches.
  return signature
    .split(' ')
    .map((one) => fits(one, expected))
    .some(Boolean);
}

function fits(signature: string, expected: Buffer): boolean {
  const given = Buffer.from(/^v1,(.+)$/.exec(signature)?.[1] ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
