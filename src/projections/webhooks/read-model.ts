/** The read model of webhook settings: one row per business. Addresses stay sealed in it. */
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import { DEFAULT_FLAGS, WEBHOOKS_PREFIX, type WebhookFlags, type WebhookKind } from '../../events/webhooks/events.js';
import { integer, json, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';
import type { SealedMembers } from '../core/sealed-members.js';

export interface KeptEndpoint extends SealedMembers {
  readonly on: boolean;
  /** Since when without a break, whatever the address; what was recorded before is not told. RFC 3339, UTC. */
  readonly on_since: string;
  readonly set_at: string;
  readonly paused?: { readonly at: string; readonly reason: 'failing' | 'gone' };
}

const columns = {
  business: integer(),
  endpoints: json<Partial<Record<WebhookKind, KeptEndpoint>>>(),
  flags: json<WebhookFlags>(),
  revision: integer(),
};
export type WebhookSettingsRow = RowOf<typeof columns>;

export const webhookSettings = table({
  name: 'webhook_settings',
  table: 'settings',
  version: 1,
  prefixes: [WEBHOOKS_PREFIX],
  columns,
  key: 'business',
  fold: foldSettings,
});

function foldSettings(row: WebhookSettingsRow | undefined, event: StoredEvent): WebhookSettingsRow {
  const before = row ?? {
    business: Number(event.stream.slice(WEBHOOKS_PREFIX.length)),
    endpoints: {},
    flags: DEFAULT_FLAGS,
    revision: 0,
  };
  const data = event.data as JsonObject & {
    readonly kind: WebhookKind;
    readonly on: boolean;
    readonly endpoint_id: string;
    readonly reason: 'failing' | 'gone';
  };
  const at = event.metadata['recorded_at'] as string;
  const next = { ...before, revision: event.revision };
  const endpoint = before.endpoints[data.kind];
  switch (event.type) {
    case 'WebhookEndpointSet': {
      const on_since = endpoint?.on ? endpoint.on_since : at;
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
    case 'WebhookFlagsChanged':
      return { ...next, flags: { ...before.flags, ...(event.data as Partial<WebhookFlags>) } };
    default:
      return next;
  }
}

declare module '../core/projection.js' {
  interface ReadModels {
    webhook_settings: true;
  }
}
