/** Guide for receivers of webhooks. */
import type { GuideOptions } from './integration.js';

export function webhookGuide({ baseUrl }: Pick<GuideOptions, 'baseUrl'>): string {
  return [
    '# Webhooks',
    '',
    `Set a URL per event type, or one for all (\`default_webhook_url\` with \`webhook_event_types: ["*"]\`), with \`PUT ${baseUrl}/api/v1/webhook-settings\` (partial update), and a secret of 16 to 256 printable ASCII characters without spaces.`,
    '',
    '## Verify',
    '',
    'Deliveries are signed by Standard Webhooks. Headers: `webhook-id`, `webhook-timestamp` (seconds since 1970), `webhook-signature` (`v1,<base64>`; several, separated by spaces, while a secret is rotated).',
    'Signed is `{webhook-id}.{webhook-timestamp}.{body}`, the body to the byte, with HMAC-SHA256. Compare in constant time and refuse timestamps that are off by more than five minutes.',
    '',
    '```js',
    "import { createHmac, timingSafeEqual } from 'node:crypto';",
    '',
    'export function isGenuine(secret, headers, body) {',
    "  const expected = createHmac('sha256', secret).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest();",
    "  const fresh = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) <= 300;",
    "  return fresh && headers['webhook-signature'].split(' ').some((signature) => {",
    "    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');",
    '    return given.length === expected.length && timingSafeEqual(given, expected);',
    '  });',
    '}',
    '```',
    '',
    'The tool `verify_webhook_signature` says whether a payload, its headers and a secret fit, while you build.',
    '',
    '## Receive',
    '',
    'Answer 2xx at once and work afterwards. A delivery may come more than once: `webhook-id` is the same each time, so remember it. Order is not promised. What fails is tried again with growing pauses; an endpoint that keeps failing is paused.',
    '',
  ].join('\n');
}
