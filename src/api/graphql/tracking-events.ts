/** The subscription `trackingEvents`: what is recorded of a parcel from now on, as anyone may see it. */
import { Arg, Root, Subscription, type ClassType } from 'type-graphql';
import { GraphQLString } from 'graphql';
import { z } from 'zod';
import { changesSince } from '../../projections/trackings/journeys.js';
import type { Progress } from '../../projections/core/progress.js';
import { ANONYMOUS } from '../core/callers.js';
import type { TimelineReader } from '../areas/trackings/timelines.js';
import { shapeOf } from './shapes.js';
import type { TrackingFeed } from './tracking-feed.js';
import type { Types } from './types.js';

const told = z
  .object({
    tracking_number: z.string(),
    revision: z.int().describe('For `after` of otepTrackingEvents, where a connection was lost.'),
    status_code: z.string().nullable().describe('Null for a retraction.'),
    occurred_at: z.string().nullable(),
    event: z.unknown().describe('The event as otepTrackingEvents tells it; a retraction has `retracts`.'),
  })
  .meta({ id: 'TrackingEvent' });
export type TrackingEvent = z.infer<typeof told>;

export interface Followed {
  readonly trackingNumber: string;
  readonly carrier?: string | null;
}

/** Throws TRACKING_NOT_FOUND before the first event. */
export type Subscribe = (followed: Followed) => Promise<AsyncIterable<TrackingEvent>>;

interface SubscribingContext {
  readonly subscribe: Subscribe;
}

export function addTrackingEvents(resolver: ClassType, types: Types): void {
  const prototype = resolver.prototype as Record<string, unknown>;
  const name = 'trackingEvents';
  prototype[name] = (event: TrackingEvent) => event;
  const type = types.of(shapeOf(told, 'output').shape, 'output', name);
  Arg('trackingNumber', () => GraphQLString)(prototype, name, 1);
  Arg('carrier', () => GraphQLString, {
    nullable: true,
    description: 'Only the parcel of this carrier, where several have the number.',
  })(prototype, name, 2);
  Root()(prototype, name, 0);
  Subscription(() => type, {
    description:
      'The events of a parcel as they are recorded, in the public view. Over server-sent events: `Accept: text/event-stream`.',
    subscribe: (async ({ args, context }: { args: Followed; context: SubscribingContext }) =>
      context.subscribe(args)) as never,
  })(prototype, name, {});
}

export interface FollowOptions {
  readonly reader: TimelineReader;
  readonly feed: TrackingFeed;
  readonly progress: Progress;
}

/** How long the read model may be behind the log before its subscribers look again at the next event. */
const READ_MODEL_MS = 30_000;

/** Follows one parcel until `signal` ends it. */
export async function followTracking(
  { trackingNumber, carrier }: Followed,
  signal: AbortSignal,
  { reader, feed, progress }: FollowOptions,
): Promise<AsyncIterable<TrackingEvent>> {
  const { head } = await reader.find(trackingNumber, carrier ?? undefined, ANONYMOUS);
  // Listening comes before reading: what is recorded in between is seen, once.
  const wakes = await feed.listen(head.id, signal);
  const {
    row: { revision: start },
  } = await reader.journey(head, ANONYMOUS);
  return (async function* () {
    let seen = start;
    for await (const position of wakes) {
      await progress.waitFor('timeline', position, READ_MODEL_MS);
      const { row, journey } = await reader.journey(head, ANONYMOUS);
      const tracking_number = journey.timeline.subject.tracking_number ?? trackingNumber;
      for (const { revision, event } of changesSince(row, seen, journey)) {
        const { status_code = null, occurred_at = null } = event as {
          readonly status_code?: string;
          readonly occurred_at?: string;
        };
        yield { tracking_number, revision, status_code, occurred_at, event };
      }
      seen = Math.max(seen, row.revision);
    }
  })();
}
