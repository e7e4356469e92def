/**
 * What happens to the webhook settings of a business. Stream `webhooks-<business id>`. Secrets and delivery attempts
 * are no events.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

/** What a business can be told of. */
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

/** Where it can be told: at an address of the kind alone, or at the one for all kinds that have none. */
export const WEBHOOK_ENDPOINTS = ['default', ...WEBHOOK_KINDS] as const;
export type WebhookEndpoint = (typeof WEBHOOK_ENDPOINTS)[number];

/** All kinds, also those that a later version knows. */
export const ALL_KINDS = '*';
export const CHOICES = [ALL_KINDS, ...WEBHOOK_KINDS] as const;
/** What goes to the default address. */
export type WebhookChoice = (typeof CHOICES)[number];

export const WEBHOOKS_PREFIX = 'webhooks-';
export const webhooksStream = (businessId: number): string => `${WEBHOOKS_PREFIX}${businessId}`;
/** Whose key the addresses are under: they often hold a token. */
export const webhooksSubject = webhooksStream;

/** Which endpoint. */
const kind = z.enum(WEBHOOK_ENDPOINTS);

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

/** All that go to the default address from now on, unless they have one of their own. */
export const WebhookTypesChosen = eventType('WebhookTypesChosen', z.object({ event_types: z.array(z.enum(CHOICES)) }));

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
  WebhookTypesChosen,
  WebhookFlagsChanged,
  WebhookSecretSet,
] as const;
