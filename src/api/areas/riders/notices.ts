/**
 * Sends push messages about new offers, and about offers that ended before the rider responded. It reads the log, so a
 * crash loses no message. A message that is sent twice has the same id.
 */
import type { Messenger } from '../../../engines/messages/messenger.js';
import type { Batch, StoredEvent } from '../../../events/core/log.js';
import { derivedId } from '../../../events/otep/identity.js';
import { INSTANT_PREFIX, RiderOfferLapsed, RiderOfferMade } from '../../../events/riders/events.js';
import type { Parts } from '../../core/parts.js';

export const RIDER_NOTICES = { name: 'rider_notices', version: 1, prefixes: [INSTANT_PREFIX] } as const;

/** Events older than this are not sent. */
const MAX_EVENT_AGE_MS = 120_000;

export function createRiderNotices({
  messenger,
  businessOf,
  now,
}: Parts<'now'> & { messenger: Messenger; businessOf: (orderId: number) => Promise<number | undefined> }) {
  return async function notify({ events }: Pick<Batch, 'events'>): Promise<void> {
    for (const event of events) {
      if (now() - Date.parse(event.metadata['recorded_at'] as string) >= MAX_EVENT_AGE_MS) continue;
      const type = typeOf(event);
      if (!type) continue;
      const orderId = Number(event.stream.slice(INSTANT_PREFIX.length));
      const business = (event.data['business'] as number | undefined) ?? (await businessOf(orderId));
      if (business === undefined) continue;
      const to = event.data['rider_id'] as number;
      const data = {
        order_id: String(orderId),
        offer_id: event.data['offer_id'] as string,
        ...(type === 'rider_offer' && { expires_at: event.data['expires_at'] as string }),
      };
      await messenger.push({ id: derivedId('notice', event.id, to), business, to, type, data });
    }
  };

  function typeOf({ type, data }: StoredEvent): string | undefined {
    if (type === RiderOfferMade.type)
      return Date.parse(data['expires_at'] as string) > now() ? 'rider_offer' : undefined;
    return type === RiderOfferLapsed.type && data['why'] !== 'time' ? 'rider_offer_over' : undefined;
  }
}
