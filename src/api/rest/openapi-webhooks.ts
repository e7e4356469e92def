/** Webhooks in the OpenAPI document: for each kind the schema of its table entry, with an example. */
import { z } from 'zod';
import { WEBHOOK_KINDS } from '../../events/webhooks/events.js';
import { exampleBody } from '../../webhooks/examples.js';
import { KINDS } from '../../webhooks/kinds.js';
import type { JsonSchemas, Schema } from './json-schemas.js';

/**
 * A separate tag: generators write one file per tag, and the file of the webhooks would replace the file of the
 * operations.
 */
export const WEBHOOK_EVENTS = {
  name: 'Webhook events',
  description: 'Requests that the service sends to the webhook URLs of a business.',
} as const;

const EXAMPLE_TIME = new Date('2026-01-05T09:30:00Z');
const header = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
const HEADERS = [
  header('webhook-id', 'Id of the message, the same for every attempt. Use it to detect duplicates.'),
  header('webhook-timestamp', 'Time of the attempt, in seconds since 1970.'),
  header('webhook-signature', '`v1,<base64>` for each active secret, separated by spaces (Standard Webhooks).'),
];

/** Webhooks by type. A webhook may contain members that are not in the schema yet. */
export function openApiWebhooks(schemas: JsonSchemas): Schema {
  return Object.fromEntries(
    WEBHOOK_KINDS.map((kind) => {
      const { type, since, shape } = KINDS[kind];
      const body = z.object({
        type: z.literal(type),
        timestamp: z.iso.datetime().describe('Time at which the event was recorded.'),
        test: z.literal(true).optional().describe('Present only in test messages, which are sent on request.'),
        data: shape,
      });
      const example: unknown = JSON.parse(exampleBody(kind, EXAMPLE_TIME).bytes.toString());
      const post = {
        operationId: `webhook_${kind}`,
        tags: [WEBHOOK_EVENTS.name],
        summary: type,
        description: `Sent to the URL that the business has set: \`${kind}_webhook_url\`, else \`default_webhook_url\`. Since ${since}.`,
        // The receiver verifies a signature; there is no authentication.
        security: [],
        parameters: HEADERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemas.of(body, 'input'), example } },
        },
        responses: { '2XX': { description: 'Accepted. The service retries after any other status.' } },
      };
      return [type, { post }];
    }),
  );
}
