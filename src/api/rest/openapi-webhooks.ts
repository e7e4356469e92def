/** What webhooks carry, as OpenAPI describes it: the shape that the table of kinds says, with its example. */
import { z } from 'zod';
import { WEBHOOK_KINDS } from '../../events/webhooks/events.js';
import { exampleBody } from '../../webhooks/examples.js';
import { KINDS } from '../../webhooks/kinds.js';
import type { JsonSchemas, Schema } from './json-schemas.js';

/**
 * A tag of their own: generators write one file for each tag, and the file of the webhooks would take the place of that
 * of the operations.
 */
export const WEBHOOK_EVENTS = {
  name: 'Webhook events',
  description: 'Requests that the service sends to the addresses that a business set.',
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
  header('webhook-id', 'The same for every attempt: recognise repetitions by it.'),
  header('webhook-timestamp', 'Of the attempt; seconds since 1970.'),
  header('webhook-signature', '`v1,<base64>`, one for each live secret with a space between (Standard Webhooks).'),
];

/** By type; a webhook may carry members that are not in the schema yet. */
export function openApiWebhooks(schemas: JsonSchemas): Schema {
  return Object.fromEntries(
    WEBHOOK_KINDS.map((kind) => {
      const { type, since, shape } = KINDS[kind];
      const body = z.object({
        type: z.literal(type),
        timestamp: z.iso.datetime().describe('When the event was recorded.'),
        test: z.literal(true).optional().describe('An example, sent on request.'),
        data: shape,
      });
      const example: unknown = JSON.parse(exampleBody(kind, EXAMPLE_TIME).bytes.toString());
      const post = {
        operationId: `webhook_${kind}`,
        tags: [WEBHOOK_EVENTS.name],
        summary: type,
        description: `Sent to the address that the business set for \`${kind}\`. Since ${since}.`,
        // It is the receiver that checks a signature.
        security: [],
        parameters: HEADERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemas.of(body, 'input'), example } },
        },
        responses: { '2XX': { description: 'Taken. Anything else is tried again.' } },
      };
      return [type, { post }];
    }),
  );
}
