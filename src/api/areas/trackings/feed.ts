/** The feed `trackingEvents`: new events of a parcel in the public view. */
import { z } from 'zod';
import { TRACKING_PREFIX } from '../../../events/trackings/events.js';
import type { Position } from '../../../events/core/log.js';
import { changesSince } from '../../../projections/trackings/journeys.js';
import { ANONYMOUS, EVERYBODY } from '../../core/callers.js';
import { feed, type Feed, type FeedEvent } from '../../core/feed.js';
import { createLogFeed } from '../../core/log-feed.js';
import type { Parts } from '../../core/parts.js';
import { parcelsIn, type TimelineReader } from './timelines.js';

const trackingEventSchema = z
  .object({
    tracking_number: z.string(),
    revision: z.int().describe('Cursor for `after`, to continue after a lost connection.'),
    status_code: z.string().nullable().describe('Status code of the event. Null for a retraction.'),
    occurred_at: z.string().nullable(),
    event: z.unknown().describe('The event, as `otepTrackingEvents` returns it. A retraction has `retracts`.'),
  })
  .meta({ id: 'TrackingEvent' });

export interface TrackingFeedOptions extends Parts<'log' | 'progress' | 'now'> {
  readonly reader: TimelineReader;
}

/** Maximum wait for the read model to reach an event of the log; afterwards the next event triggers a new read. */
const READ_MODEL_MS = 30_000;

/**
 * Follows the ids of the trackings, because the meaning of a number can change while a client follows it. The key of a
 * subscription to several trackings contains their ids, with blanks between them.
 */
export function trackingFeed({ reader, log, progress, now }: TrackingFeedOptions): Feed {
  const logFeed = createLogFeed<Position>({
    log,
    now,
    prefixes: [TRACKING_PREFIX],
    resolve: (events, _position, wanted) => {
      const news = new Map(events.map(({ stream, position }) => [stream.slice(TRACKING_PREFIX.length), position]));
      for (const key of wanted) {
        const positions = key.includes(' ') ? key.split(' ').flatMap((id) => news.get(id) ?? []) : [];
        if (positions.length > 0) news.set(key, positions.sort().at(-1)!);
      }
      return news;
    },
  });
  return feed({
    name: 'trackingEvents',
    area: 'OTEP',
    summary: 'Follow new events of a parcel',
    description:
      'Streams the public view of new events. With `after`, the stream begins with the events that were recorded after this revision. For server-sent events over REST, send `Accept: text/event-stream`.',
    path: '/v1/otep/trackings/:tracking_number/events',
    callers: EVERYBODY,
    input: z.object({
      tracking_number: z.string().min(1).max(200),
      carrier: z.string().max(200).optional().describe('Carrier of the parcel, if several parcels have the number.'),
      after: z
        .string()
        .regex(/^\d{1,9}$/)
        .optional()
        .describe(
          '`revision` of the last event that you received. The stream begins with the events that were recorded after it.',
        ),
    }),
    output: trackingEventSchema,
    async subscribe({ tracking_number, carrier, after }, { signal }) {
      const found = await reader.find(tracking_number, { carrier }, ANONYMOUS);
      // Listens before reading, so that events recorded in between are sent exactly once.
      const ids = parcelsIn(found).map(({ trackings }) => trackings.at(-1)!.id);
      const { news } = await logFeed.listen(ids.join(' '), signal);
      const {
        life: { revision: start },
      } = await reader.journey(found, ANONYMOUS);
      const begin = Math.min(after === undefined ? start : Number(after), start);
      let seen = begin;
      async function changes(): Promise<FeedEvent<z.infer<typeof trackingEventSchema>>[]> {
        const { life, journey } = await reader.journey(found, ANONYMOUS);
        const number = journey.timeline.subject.tracking_number ?? tracking_number;
        const since = changesSince(life, seen, journey);
        seen = Math.max(seen, life.revision);
        return since.map(({ revision, event }) => {
          const { status_code = null, occurred_at = null } = event as {
            readonly status_code?: string;
            readonly occurred_at?: string;
          };
          const data = { tracking_number: number, revision, status_code, occurred_at, event };
          return { cursor: String(revision), event: 'recorded', data };
        });
      }
      return {
        cursor: String(begin),
        events: (async function* () {
          if (begin < start) yield await changes();
          for await (const one of news) {
            // After `reset` the client was too slow; the read model already has all events.
            if (one !== 'reset') await progress.waitFor('timeline', one.news, READ_MODEL_MS);
            yield await changes();
          }
        })(),
      };
    },
  });
}
