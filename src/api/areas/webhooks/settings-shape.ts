/** Webhook settings as the API shows them. */
import { z } from 'zod';
import {
  CHOICES,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_KINDS,
  webhookFlagsSchema,
  type WebhookEndpoint,
} from '../../../events/webhooks/events.js';
import { settingsVersionSchema } from '../../core/versions.js';

export const fieldOf = (endpoint: WebhookEndpoint) => `${endpoint}_webhook_url` as const;
export type UrlField = ReturnType<typeof fieldOf>;
export const urlFields = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(WEBHOOK_ENDPOINTS.map((endpoint) => [fieldOf(endpoint), schema])) as Record<UrlField, S>;
const choices = z.array(z.enum(CHOICES)).max(CHOICES.length);

export const settingsSchema = z
  .object({
    ...urlFields(z.string().describe('Empty: off.')),
    webhook_event_types: choices.describe('What goes to the default address; `*`: everything.'),
    ...webhookFlagsSchema.shape,
    webhook_secret_set: z.boolean(),
    webhook_secret_set_at: z.string().nullable(),
    webhook_secret_key: z
      .enum(['text', 'base64'])
      .nullable()
      .describe(
        'What deliveries are signed with: the text of the secret, or what it decodes to (`whsec_`). A `whsec_` secret that was set before decoding counted keeps its text until it is changed.',
      ),
    previous_webhook_secret_until: z
      .string()
      .nullable()
      .describe('Until then every delivery carries a second signature, by the secret before.'),
    endpoints: z.array(
      z.object({
        event_type: z.enum(WEBHOOK_KINDS),
        since: z.string().describe('Version of the service that first told it.'),
        status: z.enum(['off', 'on', 'paused']),
        via: z
          .enum(['own', 'default'])
          .nullable()
          .describe('Its own address, or the default one; null where it is off.'),
        on_since: z.string().nullable(),
        paused_at: z.string().nullable(),
        paused_reason: z
          .enum(['failing', 'gone'])
          .nullable()
          .describe(
            '`failing`: three deliveries in a row used up all their attempts; `gone`: it answered 410. Setting the address again ends the pause. One of the default address pauses what goes there.',
          ),
      }),
    ),
    version: settingsVersionSchema,
  })
  .meta({ id: 'WebhookSettings' });
