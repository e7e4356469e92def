/**
 * What happens to the webhook settings of a business. Stream `webhooks-<business id>`. Secrets and delivery attempts
 * are no events.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

/** What a business can be told of; each kind has an address of its own. */
export const WEBHOOK_KINDS = [
  'order_created',
  'order_status_changed',
  'tracking_event',
  'assignment_changed',
  'proposal_decided',
  'route_changed',
  'route_closed',
  'route_board_claimed',
  'route_board_withdrawn',
  'fleet_shift_changed',
  'driver_status_changed',
  'driver_document_expiring',
  'instant_changed',
  'alliance_changed',
  'alliance_access_granted',
  'alliance_access_ended',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

export const WEBHOOKS_PREFIX = 'webhooks-';
export const webhooksStream = (businessId: number): string => `${WEBHOOKS_PREFIX}${businessId}`;
/** Whose key the addresses are under: they often hold a token. */
export const webhooksSubject = webhooksStream;

const kind = z.enum(WEBHOOK_KINDS);

/** Also takes an endpoint out of its pause. The event's id names this setting of the endpoint. */
export const WebhookEndpointSet = eventType(
  'WebhookEndpointSet',
  z.object({ kind, on: z.boolean(), url: personal(z.string()) }),
);

/**
 * Nothing got through for so long that the service stopped trying; `endpoint_id`: id of the setting that was in force.
 */
export const WebhookEndpointPaused = eventType(
  'WebhookEndpointPaused',
  z.object({ kind, endpoint_id: z.string(), reason: z.enum(['failing', 'gone']) }),
);

export const webhookFlagsSchema = z.object({
  /** The switch for all endpoints. */
  webhooks_enabled: z.boolean(),
  /** Whether payloads hold what is personal: names, addresses, phones, free text. */
  include_personal_data: z.boolean(),
  /** Of the scans of a parcel only those that end its journey. */
  only_terminal_tracking_events: z.boolean(),
});
export type WebhookFlags = Readonly<z.infer<typeof webhookFlagsSchema>>;
export const DEFAULT_FLAGS: WebhookFlags = {
  webhooks_enabled: true,
  include_personal_data: false,
  only_terminal_tracking_events: false,
};

/** Only the flags that changed. */
export const WebhookFlagsChanged = eventType('WebhookFlagsChanged', webhookFlagsSchema.partial());

/** The secret itself is nowhere in the log. `overlap_hours`: how long the previous one stays valid next to it. */
export const WebhookSecretSet = eventType(
  'WebhookSecretSet',
  z.object({ secret_id: z.string(), overlap_hours: z.number() }),
);

export const WEBHOOK_EVENTS = [
  WebhookEndpointSet,
  WebhookEndpointPaused,
  WebhookFlagsChanged,
  WebhookSecretSet,
] as const;
