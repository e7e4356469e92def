/** Webhook settings in responses. */
import { z } from 'zod';
import {
  ALL_KINDS,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_TYPES,
  webhookFlagsSchema,
  type WebhookEndpoint,
} from '../../../events/webhooks/events.js';
import { settingsVersionSchema } from '../../core/versions.js';

export const fieldOf = (endpoint: WebhookEndpoint) => `${endpoint}_webhook_url` as const;
export type UrlField = ReturnType<typeof fieldOf>;
export const urlFields = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(WEBHOOK_ENDPOINTS.map((endpoint) => [fieldOf(endpoint), schema])) as Record<UrlField, S>;
export const choices = z.array(z.enum([ALL_KINDS, ...WEBHOOK_TYPES])).max(WEBHOOK_TYPES.length + 1);

export const settingsSchema = z
  .object({
    ...urlFields(z.string().describe('Target address. Empty: the event type is disabled.')),
    webhook_event_types: choices.describe('Event types that are sent to the default address. `*`: all event types.'),
    ...webhookFlagsSchema.shape,
    webhook_secret_set: z.boolean(),
    webhook_secret_set_at: z.string().nullable(),
    webhook_secret_key: z
      .enum(['text', 'base64'])
      .nullable()
      .describe(
        'Key that signs deliveries: the text of the secret, or the decoded bytes of a `whsec_` secret. Older `whsec_` secrets use their text until they are replaced.',
      ),
    previous_webhook_secret_until: z
      .string()
      .nullable()
      .describe('Until this time, each delivery also carries a signature with the previous secret.'),
    endpoints: z.array(
      z
        .object({
          event_type: z.enum(WEBHOOK_TYPES),
          since: z.string().describe('Version of the service that introduced the event type.'),
          status: z.enum(['off', 'on', 'paused']),
          via: z
            .enum(['own', 'default'])
            .nullable()
            .describe(
              'Address of the event type. `own`: a separate address. `default`: the default address. Null: the service does not send this event type.',
            ),
          on_since: z.string().nullable(),
          paused_at: z.string().nullable(),
          paused_reason: z
            .enum(['failing', 'gone'])
            .nullable()
            .describe(
              '`failing`: all attempts of three consecutive deliveries failed. `gone`: the endpoint responded with 410. To resume deliveries, set the address again. A pause of the default address pauses all event types that use it.',
            ),
        })
        .meta({ id: 'WebhookEndpoint' }),
    ),
    version: settingsVersionSchema,
  })
  .meta({ id: 'WebhookSettings' });
