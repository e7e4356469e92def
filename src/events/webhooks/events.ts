/**
 * Events of a business's webhook settings. Stream `webhooks-<business id>`. Secrets and delivery attempts are not
 * events.
 */
import { z } from 'zod';
import type { JsonObject } from '../core/log.js';
import { eventType, personal } from '../core/event-types.js';

/** Event types that a business can subscribe to, as payloads and the API name them. */
export const WEBHOOK_TYPES = [
  'order.created',
  'order.status_changed',
  'tracking.event',
  'assignment.changed',
  'proposal.decided',
  'route.changed',
  'route.closed',
  'route_board.claimed',
  'route_board.withdrawn',
  'fleet_shift.changed',
  'driver.status_changed',
  'driver.document_expiring',
  'instant.changed',
  'alliance.changed',
  'alliance.access_granted',
  'alliance.access_ended',
  'proposal.created',
  'job.finished',
  'document.issued',
  'route_plan.finished',
  'route.planned',
  'dispatch.decision_recorded',
  'dataset.records_changed',
  'inventory.changed',
  'transfer.changed',
  'receiving.exception',
  'third_party.changed',
  'bill.changed',
  'invoice.issued',
] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

type KindOf<T extends string> = T extends `${infer Item}.${infer Change}` ? `${Item}_${Change}` : never;
/** Key of an event type in stored events, tables and the names of settings (`order_created_webhook_url`). */
export type WebhookKind = KindOf<WebhookType>;
export const kindOf = (type: WebhookType): WebhookKind => type.replace('.', '_') as WebhookKind;
export const WEBHOOK_KINDS = WEBHOOK_TYPES.map(kindOf) as [WebhookKind, ...WebhookKind[]];
const TYPE_BY_KIND: ReadonlyMap<string, WebhookType> = new Map(WEBHOOK_TYPES.map((type) => [kindOf(type), type]));
export const typeOf = (kind: WebhookKind): WebhookType => TYPE_BY_KIND.get(kind)!;
/** Returns the event type of a stored key; any other text stays unchanged. */
export const currentType = (text: string): string => TYPE_BY_KIND.get(text) ?? text;

/**
 * An endpoint: the default one, or a dedicated one of an event type. The default endpoint gets the types without a
 * dedicated one.
 */
export const WEBHOOK_ENDPOINTS = ['default', ...WEBHOOK_KINDS] as const;
export type WebhookEndpoint = (typeof WEBHOOK_ENDPOINTS)[number];

/** All event types, including event types of later versions. */
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

/** Versions 2 and 3 have additional kinds. */
const MORE_KINDS = { version: 3, upcast: { 1: (data: JsonObject) => data, 2: (data: JsonObject) => data } };

/** Also ends a pause of the endpoint. The event's id identifies this setting. */
export const WebhookEndpointSet = eventType(
  'WebhookEndpointSet',
  z.object({ kind, on: z.boolean(), url: personal(z.string()) }),
  MORE_KINDS,
);

/**
 * The service stopped deliveries to the endpoint, because they failed repeatedly (`failing`) or because it responded
 * with 410 (`gone`). `endpoint_id`: id of the setting at that time.
 */
export const WebhookEndpointPaused = eventType(
  'WebhookEndpointPaused',
  z.object({ kind, endpoint_id: z.string(), reason: z.enum(['failing', 'gone']) }),
  MORE_KINDS,
);

/**
 * All event types for the default endpoint, replacing the earlier event types. Types with a dedicated endpoint do not
 * use it.
 */
export const WebhookTypesChosen = eventType(
  'WebhookTypesChosen',
  z.object({ event_types: z.array(z.enum(CHOICES)) }),
  MORE_KINDS,
);

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
