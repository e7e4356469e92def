/** Guide for receivers of webhooks. */
import type { GuideOptions } from './integration.js';

export function webhookGuide({ baseUrl }: Pick<GuideOptions, 'baseUrl'>): string {
  return [
    '# Webhooks',
    '',
    `Set a URL per event type, or one for all (\`default_webhook_url\` with \`webhook_event_types: ["*"]\`), with \`PUT ${baseUrl}/api/v1/webhook-settings\` (partial update), and a secret of 16 to 256 printable ASCII characters without spaces, or \`whsec_\` and at least 16 bytes in base64. Event types are named as in payloads: \`order.created\`.`,
    '',
    '## Verify',
    '',
    'Deliveries are signed according to Standard Webhooks. Headers: `webhook-id`, `webhook-timestamp` (seconds since 1970), `webhook-signature` (`v1,<base64>`; several signatures, separated by spaces, while a secret is rotated).',
    'The signature is the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, with the exact bytes of the body. The key of a `whsec_` secret is the decoded base64 after the prefix; the key of any other secret is its text. Compare in constant time and reject timestamps that differ from your clock by more than five minutes.',
    '',
    '```js',
    "import { createHmac, timingSafeEqual } from 'node:crypto';",
    '',
    'export function isGenuine(secret, headers, body) {',
    "  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);",
    "  const expected = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`).update(body).digest();",
    "  const fresh = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) <= 300;",
    "  return fresh && (headers['webhook-signature'] ?? '').split(' ').some((signature) => {",
    "    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');",
    '    return given.length === expected.length && timingSafeEqual(given, expected);',
    '  });',
    '}',
    '```',
    '',
    'During development, the tool `verify_webhook_signature` checks whether a payload, its headers and a secret match.',
    '',
    '## Receive',
    '',
    'Respond with 2xx immediately and process the event afterwards. A delivery may arrive more than once with the same `webhook-id`: store the id to detect duplicates. The order of deliveries is not guaranteed. Failed deliveries are retried with increasing delays, or later if the response has `Retry-After`; an endpoint that keeps failing is paused.',
    '',
  ].join('\n');
}
