/** The read model of webhook settings: one row per business. URLs stay encrypted. */
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import {
  ALL_KINDS,
  DEFAULT_FLAGS,
  WEBHOOKS_PREFIX,
  type WebhookChoice,
  type WebhookEndpoint,
  type WebhookFlags,
} from '../../events/webhooks/events.js';
import { integer, json, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';
import { destinationOf, type StoredChoices, type StoredEndpoint } from './destinations.js';

const columns = {
  business: integer(),
  endpoints: json<Partial<Record<WebhookEndpoint, StoredEndpoint>>>(),
  types: json<StoredChoices>(),
  flags: json<WebhookFlags>(),
  revision: integer(),
};
export type WebhookSettingsRow = RowOf<typeof columns>;

export const webhookSettings = table({
  name: 'webhook_settings',
  table: 'settings',
  version: 2,
  prefixes: [WEBHOOKS_PREFIX],
  columns,
  key: 'business',
  fold: foldSettings,
});

function foldSettings(row: WebhookSettingsRow | undefined, event: StoredEvent): WebhookSettingsRow {
  const before = row ?? {
    business: Number(event.stream.slice(WEBHOOKS_PREFIX.length)),
    endpoints: {},
    types: {},
    flags: DEFAULT_FLAGS,
    revision: 0,
  };
  const data = event.data as JsonObject & {
    readonly kind: WebhookEndpoint;
    readonly on: boolean;
    readonly endpoint_id: string;
    readonly reason: 'failing' | 'gone';
    readonly event_types: readonly WebhookChoice[];
  };
  const at = event.metadata['recorded_at'] as string;
  const next = { ...before, revision: event.revision };
  const endpoint = before.endpoints[data.kind];
  switch (event.type) {
    case 'WebhookEndpointSet': {
      // A kind that was sent to the default URL continues without a gap at its own URL.
      const destination = data.kind === 'default' || endpoint?.on ? endpoint : destinationOf(before, data.kind);
      const on_since = destination?.on ? destination.on_since : at;
      return {
        ...next,
        endpoints: {
          ...before.endpoints,
          [data.kind]: { id: event.id, data: event.data, on: data.on, on_since, set_at: at },
        },
      };
    }
    case 'WebhookEndpointPaused':
      return {
        ...next,
        endpoints: {
          ...before.endpoints,
          ...(endpoint && { [data.kind]: { ...endpoint, paused: { at, reason: data.reason } } }),
        },
      };
    case 'WebhookTypesChosen':
      return { ...next, types: chosenNow(before.types, data.event_types, at) };
    case 'WebhookFlagsChanged':
      return { ...next, flags: { ...before.flags, ...(event.data as Partial<WebhookFlags>) } };
    default:
      return next;
  }
}

function chosenNow(before: StoredChoices, chosen: readonly WebhookChoice[], at: string): StoredChoices {
  const since = (type: WebhookChoice) => before[type] ?? before[ALL_KINDS] ?? at;
  return {
    ...(chosen.includes(ALL_KINDS) && before),
    ...Object.fromEntries(chosen.map((type) => [type, since(type)])),
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'webhook_settings', true> {}
}
