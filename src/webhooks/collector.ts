/**
 * Reads the log and writes down what is to be told to whom, in one transaction with its checkpoint: each event once per
 * kind and business, whatever crashes. Settings count as they are when the event is read, and for nothing that was
 * recorded before they were made.
 */
import type { ClientBase, Pool } from 'pg';
import QuickLRU from 'quick-lru';
import type { NewDelivery } from '../engines/postgres/webhook-delivery.js';
import type { Batch, EventLog, Position, StoredEvent } from '../events/core/log.js';
import { derivedId } from '../events/otep/identity.js';
import type { WebhookKind } from '../events/webhooks/events.js';
import { startFollower, type Commit, type Follower } from '../projections/core/follower.js';
import type { Progress } from '../projections/core/progress.js';
import type { WebhookQueries } from '../projections/webhooks/queries.js';
import type { Bodies } from './bodies.js';
import type { Kind } from './kind.js';
import { businessOf, KINDS, PREFIXES } from './kinds.js';

/** Its row among the checkpoints. */
export const COLLECTOR = { name: 'webhooks', version: 1, prefixes: PREFIXES } as const;

/**
 * Deliveries are remembered this long; an event that is older is not told, since nobody knows any more whether it was.
 */
export const KEPT_DAYS = 30;
const BATCH = 1_000;
/** Settings that a caller was answered for must count. */
const SETTINGS_WAIT_MS = 10_000;
const MAX_PAUSE_MS = 5_000;

export interface CollectorOptions {
  readonly log: EventLog;
  readonly pool: Pool;
  /** UUID of this process. */
  readonly owner: string;
  readonly progress: Progress;
  readonly queries: Pick<WebhookQueries, 'subscribers'>;
  readonly bodies: Pick<Bodies, 'firstOf' | 'remember'>;
  readonly add: (db: ClientBase, deliveries: readonly NewDelivery[]) => Promise<number>;
  /** Attempts in all. */
  readonly most: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onCollected: () => void;
  readonly onError: (error: unknown) => void;
}

export function startCollector({
  log,
  pool,
  owner,
  progress,
  queries,
  bodies,
  add,
  most,
  now,
  onCollected,
  onError,
}: CollectorOptions): Follower {
  /** Whose a stream is: null for nobody's. */
  const owners = new QuickLRU<string, number | null>({ maxSize: 50_000 });

  async function take(batch: Batch, commit: Commit): Promise<void> {
    const deliveries = await collect(batch.events, batch.position);
    if (deliveries.length === 0) return;
    await commit((db) => add(db, deliveries));
    onCollected();
  }

  async function collect(events: readonly StoredEvent[], position: Position): Promise<NewDelivery[]> {
    if (!(await progress.waitFor('webhook_settings', position, SETTINGS_WAIT_MS)))
      throw new Error('The webhook settings are not up to date: see the projection webhook_settings.');
    const subscribers = await queries.subscribers();
    if (subscribers.size === 0) return [];
    const oldest = new Date(now() - KEPT_DAYS * 86_400_000).toISOString();
    const found: NewDelivery[] = [];
    for (const event of events) {
      const kinds = (Object.entries(KINDS) as [WebhookKind, Kind][]).filter(([, { prefix }]) =>
        event.stream.startsWith(prefix),
      );
      const recordedAt = event.metadata['recorded_at'] as string;
      // Who it belongs to is asked only where somebody might want it.
      const wanted = kinds.filter(([kind, { fires }]) =>
        [...subscribers.values()].some(({ endpoints, flags }) => endpoints[kind]?.on && fires(event, flags)),
      );
      if (recordedAt < oldest || wanted.length === 0) continue;
      for (const [kind, { fires, businesses }] of wanted)
        for (const business of businesses?.(event) ?? (await ownersOf(event))) {
          const settings = subscribers.get(business);
          if (!settings?.flags.webhooks_enabled) continue;
          const endpoint = settings.endpoints[kind];
          if (!endpoint?.on || recordedAt < endpoint.on_since || !fires(event, settings.flags)) continue;
          found.push({
            id: deliveryId(event.id, kind, businesses && business),
            business,
            kind,
            stream: event.stream,
            revision: event.revision,
            recordedAt,
            most,
            ...(endpoint.paused && { skipped: 'paused' }),
          });
          bodies.remember([event]);
        }
    }
    return found;
  }

  /** The business that the stream belongs to, or none. */
  async function ownersOf(event: StoredEvent): Promise<readonly number[]> {
    let business = owners.get(event.stream);
    if (business === undefined) {
      business = businessOf(event.revision === 0 ? event : await bodies.firstOf(event.stream)) ?? null;
      owners.set(event.stream, business);
    }
    return business === null ? [] : [business];
  }

  return startFollower({
    reader: COLLECTOR,
    log,
    pool,
    owner,
    progress,
    batch: BATCH,
    patient: true,
    take,
    onError,
    longestPause: MAX_PAUSE_MS,
  });
}

/** Also the webhook-id. `business`: where the kind tells more than one. */
export const deliveryId = (eventId: string, kind: WebhookKind, business?: number): string =>
  derivedId('webhook', eventId, kind, ...(business === undefined ? [] : [business]));
