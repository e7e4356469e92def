/**
 * Webhook bodies, created from the log for each attempt and never stored. A body therefore never contains data that was
 * erased in the meantime.
 */
import QuickLRU from 'quick-lru';
import { decode, decoded, sealedOf, unseal } from '../events/core/codec.js';
import type { EventLog, StoredEvent } from '../events/core/log.js';
import type { WebhookFlags, WebhookKind } from '../events/webhooks/events.js';
import type { Parts } from '../projections/core/parts.js';
import { KINDS } from './kinds.js';

export interface BodiesOptions extends Parts<'types' | 'keyRing'> {
  readonly log: Pick<EventLog, 'read'>;
  /** Maximum number of events in the memory cache. It contains events as the log stores them. */
  readonly cacheSize?: number;
}

export interface Body {
  readonly bytes: Buffer;
  /** The body contains personal data, so the endpoint's response can repeat it. */
  readonly personal: boolean;
}

export type Bodies = ReturnType<typeof createBodies>;

export function createBodies({ log, types, keyRing, cacheSize = 5_000 }: BodiesOptions) {
  const cache = new QuickLRU<string, StoredEvent>({ maxSize: cacheSize });
  const keyOf = (stream: string, revision: number) => `${stream} ${revision}`;

  async function eventAt(stream: string, revision: number): Promise<StoredEvent> {
    const known = cache.get(keyOf(stream, revision));
    if (known) return known;
    for await (const event of log.read(stream, revision)) {
      cache.set(keyOf(stream, revision), event);
      return event;
    }
    throw new Error(`The log has no event ${revision} in stream ${stream}.`);
  }

  return {
    /** Returns the body for the event at a position in a stream. */
    async of(
      kind: WebhookKind,
      { stream, revision }: { readonly stream: string; readonly revision: number },
      { include_personal_data }: WebhookFlags,
    ): Promise<Body> {
      const [event, first] = await Promise.all([eventAt(stream, revision), eventAt(stream, 0)]);
      const sealed = [event, first].flatMap(({ data }) => sealedOf(data)?.subject ?? []);
      const keys =
        include_personal_data && sealed.length > 0
          ? await keyRing.existing([...new Set(sealed)])
          : new Map<string, Buffer>();
      const open = (from: StoredEvent) => unseal(decode(from, types), from.id, keys);
      const { type, data } = KINDS[kind];
      const payload = {
        type,
        timestamp: event.metadata['recorded_at'],
        data: data({
          event: decoded(event, types),
          first: decoded(first, types),
          data: open(event),
          firstData: open(first),
          keys,
        }),
      };
      return { bytes: Buffer.from(JSON.stringify(payload)), personal: keys.size > 0 };
    },
    /** Returns the first event of a stream. */
    firstOf: (stream: string): Promise<StoredEvent> => eventAt(stream, 0),
    /** Caches events that will be sent soon, which avoids reading them from the log. */
    remember(events: readonly StoredEvent[]): void {
      for (const event of events) cache.set(keyOf(event.stream, event.revision), event);
    },
  };
}
