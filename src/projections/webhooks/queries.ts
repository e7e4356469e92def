/** Questions to the webhook settings read model. Concurrent questions go to the database as one. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { unseal, type KeyRing } from '../../events/core/codec.js';
import {
  ALL_KINDS,
  DEFAULT_FLAGS,
  WEBHOOK_KINDS,
  webhooksSubject,
  type WebhookChoice,
  type WebhookEndpoint,
  type WebhookFlags,
  type WebhookKind,
} from '../../events/webhooks/events.js';
import type { WebhookSettingsRow } from './read-model.js';
import { wayOf, type KeptEndpoint, type Way } from './ways.js';

/** `id` names this setting of it. */
type OpenEndpoint = KeptEndpoint & { readonly url: string };

/** Where a kind is told, and by which endpoint. */
export type OpenWay = Way<OpenEndpoint>;

export interface WebhookSettings {
  /** Of endpoints that are on, paused or not. */
  readonly urls: ReadonlyMap<WebhookEndpoint, string>;
  /** What goes to the default address; `*` alone: everything. */
  readonly types: readonly WebhookChoice[];
  /** Of kinds that are told, paused or not. */
  readonly ways: ReadonlyMap<WebhookKind, OpenWay>;
  readonly flags: WebhookFlags;
  /** Revision of their stream; -1: none were set. */
  readonly version: number;
}

const NONE: WebhookSettings = { urls: new Map(), types: [], ways: new Map(), flags: DEFAULT_FLAGS, version: -1 };

/** What a collector needs: addresses stay sealed. */
export type Subscriber = Pick<WebhookSettingsRow, 'endpoints' | 'types' | 'flags'>;

export type WebhookQueries = ReturnType<typeof createWebhookQueries>;

export function createWebhookQueries({ pool, keyRing }: { readonly pool: Pool; readonly keyRing: KeyRing }) {
  const settings = new DataLoader<number, WebhookSettings>(
    async (ids) => {
      const { rows } = await pool.query<WebhookSettingsRow>({
        name: 'webhook-settings',
        text: 'select * from webhook_settings.settings where business = any ($1)',
        values: [ids],
      });
      const keys = await keyRing.existing(rows.map(({ business }) => webhooksSubject(business)));
      const found = new Map(rows.map((row) => [row.business, open(row, keys)]));
      return ids.map((id) => found.get(id) ?? NONE);
    },
    { cache: false, maxBatchSize: 1_000, batchScheduleFn: setImmediate },
  );

  return {
    /** Defaults for a business that never set any. */
    settings: (businessId: number): Promise<WebhookSettings> => settings.load(businessId),
    /** Businesses with an endpoint that is on; few of all. */
    async subscribers(): Promise<ReadonlyMap<number, Subscriber>> {
      const { rows } = await pool.query<WebhookSettingsRow>({
        name: 'webhook-subscribers',
        text: "select * from webhook_settings.settings where exists (select from json_each(endpoints) where (value ->> 'on')::boolean)",
      });
      return new Map(rows.map((row) => [row.business, row]));
    },
  };
}

/** An endpoint whose address was erased is off. */
function open(
  { endpoints, types, flags, revision }: WebhookSettingsRow,
  keys: ReadonlyMap<string, Buffer>,
): WebhookSettings {
  const opened = (Object.entries(endpoints) as [WebhookEndpoint, KeptEndpoint][]).map(([endpoint, kept]) => {
    const { url } = unseal(kept.data, kept.id, keys) as { url?: string };
    return [endpoint, { ...kept, on: kept.on && url !== undefined, url: url ?? '' }] as const;
  });
  const settings = { endpoints: Object.fromEntries(opened) as Partial<Record<WebhookEndpoint, OpenEndpoint>>, types };
  return {
    urls: new Map(opened.filter(([, { on }]) => on).map(([endpoint, { url }]) => [endpoint, url])),
    types: ALL_KINDS in types ? [ALL_KINDS] : (Object.keys(types) as WebhookChoice[]),
    ways: new Map(
      WEBHOOK_KINDS.flatMap((kind) => {
        const way = wayOf(settings, kind);
        return way ? [[kind, way] as const] : [];
      }),
    ),
    flags,
    version: revision,
  };
}
