/** Questions to the webhook settings read model. Concurrent questions go to the database as one. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { unseal, type KeyRing } from '../../events/core/codec.js';
import { DEFAULT_FLAGS, webhooksSubject, type WebhookFlags, type WebhookKind } from '../../events/webhooks/events.js';
import type { KeptEndpoint, WebhookSettingsRow } from './read-model.js';

/** An endpoint that is on. */
export interface Endpoint extends Pick<KeptEndpoint, 'on_since' | 'set_at' | 'paused'> {
  /** Names this setting of it. */
  readonly id: string;
  readonly url: string;
}

export interface WebhookSettings {
  /** Those that are on, paused or not. */
  readonly endpoints: ReadonlyMap<WebhookKind, Endpoint>;
  readonly flags: WebhookFlags;
}

export interface WebhookQueries {
  /** Defaults for a business that never set any. */
  readonly settings: (businessId: number) => Promise<WebhookSettings>;
  /** Businesses with an endpoint that is on; few of all. */
  readonly subscribers: () => Promise<ReadonlyMap<number, Pick<WebhookSettingsRow, 'endpoints' | 'flags'>>>;
}

export function createWebhookQueries({
  pool,
  keyRing,
}: {
  readonly pool: Pool;
  readonly keyRing: KeyRing;
}): WebhookQueries {
  const settings = new DataLoader<number, WebhookSettings>(
    async (ids) => {
      const { rows } = await pool.query<WebhookSettingsRow>({
        name: 'webhook-settings',
        text: 'select * from webhook_settings.settings where business = any ($1)',
        values: [ids],
      });
      const keys = await keyRing.existing(rows.map(({ business }) => webhooksSubject(business)));
      const found = new Map(rows.map((row) => [row.business, { endpoints: open(row, keys), flags: row.flags }]));
      return ids.map((id) => found.get(id) ?? { endpoints: new Map(), flags: DEFAULT_FLAGS });
    },
    { cache: false, maxBatchSize: 1_000, batchScheduleFn: setImmediate },
  );

  return {
    settings: (businessId) => settings.load(businessId),
    async subscribers() {
      const { rows } = await pool.query<WebhookSettingsRow>({
        name: 'webhook-subscribers',
        text: "select * from webhook_settings.settings where exists (select from json_each(endpoints) where (value ->> 'on')::boolean)",
      });
      return new Map(rows.map((row) => [row.business, row]));
    },
  };
}

/** An endpoint whose address was erased is off. */
function open({ endpoints }: WebhookSettingsRow, keys: ReadonlyMap<string, Buffer>): Map<WebhookKind, Endpoint> {
  return new Map(
    (Object.entries(endpoints) as [WebhookKind, KeptEndpoint][]).flatMap(
      ([kind, { id, data, on, on_since, set_at, paused }]) => {
        const { url } = unseal(data, id, keys) as { url?: string };
        return on && url !== undefined
          ? [[kind, { id, url, on_since, set_at, ...(paused && { paused }) }] as const]
          : [];
      },
    ),
  );
}
