/** The feed of a rider: new offers, and the end of each offer. */
import { z } from 'zod';
import type { StoredEvent } from '../../../events/core/log.js';
import {
  INSTANT_PREFIX,
  RiderOfferAccepted,
  RiderOfferDeclined,
  RiderOfferLapsed,
  RiderOfferMade,
} from '../../../events/riders/events.js';
import type { RiderQueries } from '../../../projections/riders/queries.js';
import { feed, type Feed } from '../../core/feed.js';
import { createLogFeed } from '../../core/log-feed.js';
import { afterCursor, MAX_LAG_MS, changeEvent, toSubscription, expectCursor } from '../../core/log-feed-events.js';
import type { Parts } from '../../core/parts.js';
import { riderOf } from './duty.js';

const TYPES: ReadonlySet<string> = new Set(
  [RiderOfferMade, RiderOfferDeclined, RiderOfferLapsed, RiderOfferAccepted].map(({ type }) => type),
);

const riderOfferEventSchema = z
  .object({
    cursor: z.string().describe('Cursor for `after`, to continue after a lost connection.'),
    type: z.string().describe('Type of the event. `reset`: too many events were missed; read the offers again.'),
    at: z.string(),
    offer_id: z.string().optional(),
    order_id: z.int().optional(),
    expires_at: z.string().optional(),
    why: z.string().optional().describe('Reason why an offer ended: `time`, `taken` or `cancelled`.'),
  })
  .meta({ id: 'RiderOfferEvent' });
type RiderOfferEvent = z.infer<typeof riderOfferEventSchema>;

export interface RiderFeedOptions extends Parts<'log' | 'progress' | 'now'> {
  readonly queries: RiderQueries;
}

export function riderFeed({ queries, log, progress, now }: RiderFeedOptions): Feed {
  /** One reader of the log serves all riders. Each rider receives only the events of offers to this rider. */
  const logFeed = createLogFeed<readonly RiderOfferEvent[]>({
    log,
    now,
    prefixes: [INSTANT_PREFIX],
    async resolve(events, position, wanted) {
      const byRider = new Map<string, RiderOfferEvent[]>();
      for (const event of events.filter(({ type }) => TYPES.has(type))) {
        const rider = String(event.data['rider_id']);
        if (wanted.has(rider)) byRider.set(rider, [...(byRider.get(rider) ?? []), changeOf(event)]);
      }
      // Riders must be able to read an offer as soon as they receive its event.
      if (byRider.size > 0) await progress.waitFor('rider_offers', position, MAX_LAG_MS);
      return byRider;
    },
  });

  return feed({
    name: 'riderOfferEvents',
    area: 'InstantRider',
    summary: 'Follow delivery offers for the calling rider',
    description:
      'First read the offers with `riderOffers`, then follow from their `X-Event-Position`; without `after`, the feed starts now. The feed ends when instant delivery is disabled for the driver. For server-sent events over REST, send `Accept: text/event-stream`.',
    path: '/v1/instant-rider/offers/events',
    callers: ['driver'],
    scopes: ['drivers:read'],
    input: z.object({ after: afterCursor }),
    output: riderOfferEventSchema,
    async subscribe({ after }, { caller, signal }) {
      expectCursor(log, after);
      const { id } = await riderOf(queries, caller);
      return toSubscription(await logFeed.listen(String(id), signal, after), now, async (changes) => {
        const rider = await queries.byId(id);
        return rider?.instant ? changes.map(changeEvent) : undefined;
      });
    },
  });
}

function changeOf({ position, stream, type, data, metadata }: StoredEvent): RiderOfferEvent {
  const textOf = (name: string) => data[name] as string | undefined;
  const [expires_at, reason] = [textOf('expires_at'), textOf('why')];
  return {
    cursor: position,
    type,
    at: metadata['recorded_at'] as string,
    offer_id: textOf('offer_id')!,
    order_id: Number(stream.slice(INSTANT_PREFIX.length)),
    ...(expires_at !== undefined && { expires_at }),
    ...(reason !== undefined && { why: reason }),
  };
}
