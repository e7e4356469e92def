/**
 * Events of a business's webhook settings. Stream `webhooks-<business id>`. Secrets and delivery attempts are not
 * events.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

/** Event types that a business can subscribe to. */
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
  'proposal_created',
  'job_finished',
  'document_issued',
  'route_plan_finished',
  'route_planned',
  'dispatch_decision_recorded',
  'dataset_records_changed',
  'inventory_changed',
  'transfer_changed',
  'receiving_exception',
  'third_party_changed',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/**
 * An endpoint: the default one, or a dedicated one of an event type. The default endpoint gets the types without a
 * dedicated one.
 */
export const WEBHOOK_ENDPOINTS = ['default', ...WEBHOOK_KINDS] as const;
export type WebhookEndpoint = (typeof WEBHOOK_ENDPOINTS)[number];

/** All event types, including those of later versions. */
export const ALL_KINDS = '*';
export const CHOICES = [ALL_KINDS, ...WEBHOOK_KINDS] as const;
/** A choice of event types for the default endpoint. */
export type WebhookChoice = (typeof CHOICES)[number];

export const WEBHOOKS_PREFIX = 'webhooks-';
export const webhooksStream = (businessId: number): string => `${WEBHOOKS_PREFIX}${businessId}`;
/** Key subject of the addresses, which often contain a token. */
export const webhooksSubject = webhooksStream;

/** The endpoint. */
const kind = z.enum(WEBHOOK_ENDPOINTS);

/** Also ends a pause of the endpoint. The event's id identifies this setting. */
export const WebhookEndpointSet = eventType(
  'WebhookEndpointSet',
  z.object({ kind, on: z.boolean(), url: personal(z.string()) }),
);

/**
 * The service stopped deliveries to the endpoint, because they failed repeatedly (`failing`) or because it responded
 * with 410 (`gone`). `endpoint_id`: id of the setting at that time.
 */
export const WebhookEndpointPaused = eventType(
  'WebhookEndpointPaused',
  z.object({ kind, endpoint_id: z.string(), reason: z.enum(['failing', 'gone']) }),
);

/**
 * All event types for the default endpoint, replacing the earlier ones. Types with a dedicated endpoint do not use it.
 */
export const WebhookTypesChosen = eventType('WebhookTypesChosen', z.object({ event_types: z.array(z.enum(CHOICES)) }));

export const webhookFlagsSchema = z.object({
  /** Enables or disables all endpoints. */
  webhooks_enabled: z.boolean(),
  /** Whether payloads contain personal data: names, addresses, phones, free text. */
  include_personal_data: z.boolean(),
  /** Whether only the scans that end a parcel's journey are sent. */
  only_terminal_tracking_events: z.boolean(),
});
export type WebhookFlags = Readonly<z.infer<typeof webhookFlagsSchema>>;
export const DEFAULT_FLAGS: WebhookFlags = {
  webhooks_enabled: true,
  include_personal_data: false,
  only_terminal_tracking_events: false,
};

/** Contains only the changed flags. */
export const WebhookFlagsChanged = eventType('WebhookFlagsChanged', webhookFlagsSchema.partial());

/** The secret is not in the log. `overlap_hours`: time for which the previous secret stays valid. */
export const WebhookSecretSet = eventType(
  'WebhookSecretSet',
  z.object({ secret_id: z.string(), overlap_hours: z.number() }),
);

export const WEBHOOK_EVENTS = [
  WebhookEndpointSet,
  WebhookEndpointPaused,
  WebhookTypesChosen,
  WebhookFlagsChanged,
  WebhookSecretSet,
] as const;
