/** Queries on the read model of webhook settings. Concurrent queries are combined into one database query. */
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
import { destinationOf, type StoredEndpoint, type Destination } from './destinations.js';

/** `id` identifies the event that set the endpoint. */
type OpenEndpoint = StoredEndpoint & { readonly url: string };

/** The endpoint and URL that receive a kind of webhook. */
export type OpenDestination = Destination<OpenEndpoint>;

export interface WebhookSettings {
  /** URLs of enabled endpoints, paused or not. */
  readonly urls: ReadonlyMap<WebhookEndpoint, string>;
  /** Event types that are sent to the default URL; only `*`: all types. */
  readonly types: readonly WebhookChoice[];
  /** Destinations of the kinds that are sent, paused or not. */
  readonly destinations: ReadonlyMap<WebhookKind, OpenDestination>;
  readonly flags: WebhookFlags;
  /** Revision of their stream; -1: none were set. */
  readonly version: number;
}

const NONE: WebhookSettings = {
  urls: new Map(),
  types: [],
  destinations: new Map(),
  flags: DEFAULT_FLAGS,
  version: -1,
};

/** The settings that a collector needs. URLs stay encrypted. */
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
    /** Default settings for a business that never set any. */
    settings: (businessId: number): Promise<WebhookSettings> => settings.load(businessId),
    /** Businesses with an enabled endpoint. Only few of all businesses have one. */
    async subscribers(): Promise<ReadonlyMap<number, Subscriber>> {
      const { rows } = await pool.query<WebhookSettingsRow>({
        name: 'webhook-subscribers',
        text: "select * from webhook_settings.settings where exists (select from json_each(endpoints) where (value ->> 'on')::boolean)",
      });
      return new Map(rows.map((row) => [row.business, row]));
    },
  };
}

/** An endpoint whose URL was erased counts as disabled. */
function open(
  { endpoints, types, flags, revision }: WebhookSettingsRow,
  keys: ReadonlyMap<string, Buffer>,
): WebhookSettings {
  const opened = (Object.entries(endpoints) as [WebhookEndpoint, StoredEndpoint][]).map(([endpoint, stored]) => {
    const { url } = unseal(stored.data, stored.id, keys) as { url?: string };
    return [endpoint, { ...stored, on: stored.on && url !== undefined, url: url ?? '' }] as const;
  });
  const settings = { endpoints: Object.fromEntries(opened) as Partial<Record<WebhookEndpoint, OpenEndpoint>>, types };
  return {
    urls: new Map(opened.filter(([, { on }]) => on).map(([endpoint, { url }]) => [endpoint, url])),
    types: ALL_KINDS in types ? [ALL_KINDS] : (Object.keys(types) as WebhookChoice[]),
    destinations: new Map(
      WEBHOOK_KINDS.flatMap((kind) => {
        const destination = destinationOf(settings, kind);
        return destination ? [[kind, destination] as const] : [];
      }),
    ),
    flags,
    version: revision,
  };
}
