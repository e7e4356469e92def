/** The feed of the route board: changes, each with the current state of its route as visible to the subscriber. */
import { z } from 'zod';
import type { Position, StoredEvent } from '../../../events/core/log.js';
import { BOARD_EVENTS, RouteFinished, RouteStarted } from '../../../events/routes/board.js';
import { ROUTE_PREFIX, RouteDriverAssigned } from '../../../events/routes/events.js';
import { userOf } from '../../core/callers.js';
import { feed, type Feed, type FeedEvent } from '../../core/feed.js';
import { createLogFeed } from '../../core/log-feed.js';
import { afterCursor, MAX_LAG_MS, changeEvent, toSubscription, expectCursor } from '../../core/log-feed-events.js';
import type { Parts } from '../../core/parts.js';
import { BOARD_STATES, driverStandingOf, driverStandingSchema, stateOf } from './shapes.js';
import { boardViewOf } from './board-view.js';

const TYPES: ReadonlySet<string> = new Set(
  [...BOARD_EVENTS, RouteStarted, RouteFinished, RouteDriverAssigned].map(({ type }) => type),
);

const boardEventSchema = z
  .object({
    cursor: z.string().describe('Cursor to pass as `after` when you reconnect.'),
    type: z.string().describe('Type of the event. `reset`: too many events were missed; read the board again.'),
    at: z.string(),
    route_id: z.int().optional(),
    status: z.enum(BOARD_STATES).optional().describe('Current status of the route.'),
    standby_count: z.int().optional(),
    my: driverStandingSchema.optional().describe('Relation of the subscribed driver to the route.'),
    driver_id: z
      .int()
      .optional()
      .describe(
        'Driver of the event. Contractors and captains see drivers of their fleets; drivers see only themselves.',
      ),
  })
  .meta({ id: 'BoardEvent' });
type BoardFeedEvent = z.infer<typeof boardEventSchema>;

interface Change {
  readonly position: Position;
  readonly type: string;
  readonly at: string;
  readonly routeId: number;
  readonly driverId: number | undefined;
}

export type BoardFeedOptions = Parts<'boards' | 'fleets' | 'log' | 'progress' | 'now'>;

export function boardFeed({ boards, fleets, log, progress, now }: BoardFeedOptions): Feed {
  /** One log reader for all subscribers. Each subscriber then receives only routes on the board of its business. */
  const logFeed = createLogFeed<readonly Change[]>({
    log,
    now,
    prefixes: [ROUTE_PREFIX],
    async resolve(events, position, wanted) {
      const changes = events.filter(({ type }) => TYPES.has(type)).map(toChange);
      if (changes.length === 0) return new Map();
      await progress.waitFor('board', position, MAX_LAG_MS);
      return new Map([...wanted].map((business) => [business, changes]));
    },
  });

  return feed({
    name: 'boardEvents',
    area: 'Driver Route Board',
    summary: 'Follow changes of the route board',
    description:
      'Streams changes of routes on the board. Read the board first and pass its `X-Event-Position` as `after`; without `after`, the stream starts now. For server-sent events, send `Accept: text/event-stream`.',
    path: '/v1/route-board/events',
    callers: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['routes:read'],
    input: z.object({ after: afterCursor }),
    output: boardEventSchema,
    async subscribe({ after }, { caller, signal }) {
      expectCursor(log, after);
      const { viewer } = await boardViewOf(fleets, caller);
      async function toEvents(changes: readonly Change[]): Promise<FeedEvent<BoardFeedEvent>[]> {
        // Checks permissions again for each batch: a driver who left a fleet receives no more events of its routes.
        const { viewer, driverId, known } = await boardViewOf(fleets, caller);
        const rows = await boards.byIds([...new Set(changes.map(({ routeId }) => routeId))], viewer);
        const byId = new Map(rows.filter(({ posting }) => posting).map((row) => [row.id, row]));
        const viewContext = { driverId, known, timezone: userOf(caller).timezone, now: now() };
        return changes.flatMap(({ position, type, at, ...change }) => {
          const row = byId.get(change.routeId);
          if (!row) return [];
          const my = driverId === undefined ? undefined : driverStandingOf(row, viewContext);
          const isDriverVisible = change.driverId !== undefined && (known?.has(change.driverId) ?? true);
          return changeEvent({
            cursor: position,
            type,
            at,
            route_id: row.id,
            status: stateOf(row),
            standby_count: row.queue.length,
            ...(my && { my }),
            ...(isDriverVisible && { driver_id: change.driverId! }),
          });
        });
      }
      return toSubscription(await logFeed.listen(String(viewer.business), signal, after), now, toEvents);
    },
  });
}

const toChange = ({ position, stream, type, data, metadata }: StoredEvent): Change => ({
  position,
  type,
  at: metadata['recorded_at'] as string,
  routeId: Number(stream.slice(ROUTE_PREFIX.length)),
  driverId: data['driver_id'] as number | undefined,
});
