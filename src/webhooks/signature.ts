/**
 * Signatures as Standard Webhooks 1.0 has them: HMAC-SHA256 over `id.timestamp.body`, the secret's own bytes as the
 * key.
 */
import { createHmac } from 'node:crypto';

/**
 * `secrets`: the newest first; each gives a signature, so that a receiver may know either. `at`: milliseconds since
 * 1970.
 */
export function signatureHeaders(
  id: string,
  at: number,
  body: Buffer,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(sign).join(' ') };
}
