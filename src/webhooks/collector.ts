/**
 * Reads the log and stores the deliveries to send, in one transaction with its checkpoint. Each event gives one
 * delivery per kind and business, even after a crash. The settings at the time of reading apply. Events that were
 * recorded before an endpoint was enabled are not sent.
 */
import type { ClientBase } from 'pg';
import QuickLRU from 'quick-lru';
import type { NewDelivery } from '../engines/postgres/webhook-delivery.js';
import type { Batch, Position, StoredEvent } from '../events/core/log.js';
import type { LeaseHolder } from '../events/core/time-limits.js';
import { derivedId } from '../events/otep/identity.js';
import type { WebhookKind } from '../events/webhooks/events.js';
import { startFollower, type Commit, type Follower } from '../projections/core/follower.js';
import type { Parts } from '../projections/core/parts.js';
import type { Subscriber, WebhookQueries } from '../projections/webhooks/queries.js';
import { destinationOf, type Destination } from '../projections/webhooks/destinations.js';
import type { Bodies } from './bodies.js';
import { businessOf, KINDS, kindsByEvent, prefixesOf } from './kinds.js';

/** Its row in the checkpoint table. */
export const COLLECTOR = { name: 'webhooks', version: 1, prefixes: prefixesOf(KINDS) } as const;

/** Deliveries are stored this many days. Older events are not sent, because it is no longer known whether they were. */
export const RETENTION_DAYS = 30;
const BATCH = 1_000;
/** Maximum wait for the settings projection: settings that were confirmed to a caller must apply. */
const SETTINGS_WAIT_MS = 10_000;
const MAX_PAUSE_MS = 5_000;

export interface CollectorOptions extends Parts<'log' | 'pool' | 'progress' | 'now' | 'onError'> {
  /** This process. */
  readonly owner: LeaseHolder;
  readonly queries: Pick<WebhookQueries, 'subscribers'>;
  readonly bodies: Pick<Bodies, 'firstOf' | 'remember'>;
  readonly add: (db: ClientBase, deliveries: readonly NewDelivery[]) => Promise<number>;
  /** Maximum number of attempts per delivery. */
  readonly most: number;
  readonly onCollected: () => void;
  /** Absent: all kinds. */
  readonly kinds?: Partial<typeof KINDS>;
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
  kinds = KINDS,
  onError,
}: CollectorOptions): Follower {
  const byEvent = kindsByEvent(kinds);
  /** Owning business by stream; null if the stream has none. */
  const owners = new QuickLRU<string, number | null>({ maxSize: 50_000 });

  async function take(batch: Batch, commit: Commit): Promise<void> {
    const deliveries = await collect(batch.events, batch.position);
    if (deliveries.length === 0) return;
    await commit((db) => add(db, deliveries));
    onCollected();
  }

  async function collect(events: readonly StoredEvent[], position: Position): Promise<NewDelivery[]> {
    if (!(await progress.waitFor('webhook_settings', position, SETTINGS_WAIT_MS)))
      throw new Error('The webhook settings are not up to date: check the projection webhook_settings.');
    const subscribers = await queries.subscribers();
    if (subscribers.size === 0) return [];
    const recipientsByKind = recipientsOf(subscribers);
    const oldest = new Date(now() - RETENTION_DAYS * 86_400_000).toISOString();
    const found: NewDelivery[] = [];
    for (const event of events) {
      const recordedAt = event.metadata['recorded_at'] as string;
      if (recordedAt < oldest) continue;
      for (const [kind, { only, businesses }] of byEvent.get(event.type) ?? []) {
        const recipients = recipientsByKind(kind);
        const wants = ({ flags }: Recipient) => only?.(event, flags) ?? true;
        // The owner is looked up only if at least one business wants the event.
        if (!some(recipients.values(), wants)) continue;
        for (const business of businesses?.(event) ?? (await ownersOf(event))) {
          const recipient = recipients.get(business);
          if (!recipient || recordedAt < recipient.destination.on_since || !wants(recipient)) continue;
          found.push({
            id: deliveryId(event.id, kind, businesses && business),
            business,
            kind,
            endpoint: recipient.destination.endpoint,
            stream: event.stream,
            revision: event.revision,
            recordedAt,
            most,
            ...(recipient.destination.paused && { skipped: 'paused' }),
          });
          bodies.remember([event]);
        }
      }
    }
    return found;
  }

  /** Returns the business that owns the stream, or an empty list. */
  async function ownersOf(event: StoredEvent): Promise<readonly number[]> {
    let business = owners.get(event.stream);
    if (business === undefined) {
      business = businessOf(event.revision === 0 ? event : await bodies.firstOf(event.stream)) ?? null;
      owners.set(event.stream, business);
    }
    return business === null ? [] : [business];
  }

  return startFollower({
    reader: { ...COLLECTOR, prefixes: prefixesOf(kinds) },
    log,
    pool,
    owner,
    progress,
    batch: BATCH,
    background: true,
    take,
    onError,
    maxPause: MAX_PAUSE_MS,
  });
}

/** A business that receives webhooks of a kind. */
interface Recipient extends Pick<Subscriber, 'flags'> {
  readonly destination: Destination;
}

/** Returns the subscribed businesses of a kind, computed on demand. */
function recipientsOf(subscribers: ReadonlyMap<number, Subscriber>) {
  const known = new Map<WebhookKind, ReadonlyMap<number, Recipient>>();
  return (kind: WebhookKind): ReadonlyMap<number, Recipient> => {
    const recipients =
      known.get(kind) ??
      new Map(
        [...subscribers].flatMap(([business, settings]) => {
          const destination = settings.flags.webhooks_enabled ? destinationOf(settings, kind) : undefined;
          return destination ? [[business, { destination, flags: settings.flags }] as const] : [];
        }),
      );
    known.set(kind, recipients);
    return recipients;
  };
}

function some<T>(all: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of all) if (is(one)) return true;
  return false;
}

/** The id is also the webhook-id. `business` is only given for kinds that are sent to several businesses. */
export const deliveryId = (eventId: string, kind: WebhookKind, business?: number): string =>
  derivedId('webhook', eventId, kind, ...(business === undefined ? [] : [business]));
