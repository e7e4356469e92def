/**
 * What a webhook says, made from the log each time it is sent: what was erased meanwhile is in no body, and none is
 * stored.
 */
import QuickLRU from 'quick-lru';
import { decode, decoded, sealedOf, unseal } from '../events/core/codec.js';
import type { EventLog, StoredEvent } from '../events/core/log.js';
import type { WebhookFlags, WebhookKind } from '../events/webhooks/events.js';
import type { Parts } from '../projections/core/parts.js';
import { KINDS } from './kinds.js';

export interface BodiesOptions extends Parts<'types' | 'keyRing'> {
  readonly log: Pick<EventLog, 'read'>;
  /** Events kept in memory, as the log has them. */
  readonly cacheSize?: number;
}

export interface Body {
  readonly bytes: Buffer;
  /** It says something personal, so what an endpoint answers may repeat it. */
  readonly personal: boolean;
}

export type Bodies = ReturnType<typeof createBodies>;

export function createBodies({ log, types, keyRing, cacheSize = 5_000 }: BodiesOptions) {
  const kept = new QuickLRU<string, StoredEvent>({ maxSize: cacheSize });
  const keyOf = (stream: string, revision: number) => `${stream} ${revision}`;

  async function eventAt(stream: string, revision: number): Promise<StoredEvent> {
    const known = kept.get(keyOf(stream, revision));
    if (known) return known;
    for await (const event of log.read(stream, revision)) {
      kept.set(keyOf(stream, revision), event);
      return event;
    }
    throw new Error(`The log has no event ${revision} of ${stream}.`);
  }

  return {
    /** Of the event at a place in the log. */
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
      const told = {
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
      return { bytes: Buffer.from(JSON.stringify(told)), personal: keys.size > 0 };
    },
    /** The first event of a stream. */
    firstOf: (stream: string): Promise<StoredEvent> => eventAt(stream, 0),
    /** Saves the question to the log for events that are about to be told. */
    remember(events: readonly StoredEvent[]): void {
      for (const event of events) kept.set(keyOf(event.stream, event.revision), event);
    },
  };
}
