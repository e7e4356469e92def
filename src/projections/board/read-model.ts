/** The read model of the board of routes: the board state of every route. */
import {
  RouteClaimed,
  RouteClaimWithdrawn,
  RouteFinished,
  RoutePosted,
  RouteStarted,
  RouteUnposted,
  StandbyHoldLapsed,
  StandbyJoined,
  StandbyLeft,
  StandbyPromoted,
  type Posting,
} from '../../events/routes/board.js';
import { ROUTE_PREFIX, RouteClosed, RouteCreated, RouteDriverAssigned } from '../../events/routes/events.js';
import { code, flag, integer, integers, json, optional, type RowOf } from '../core/columns.js';
import { recordedAt, startsWith, table } from '../core/table.js';

const columns = {
  id: integer(),
  business: integer(),
  /** The contractor that planned the route. */
  broker_id: optional(integer()),
  date: code(),
  posted: flag(),
  /** The posting expired without a claim, and the route was not posted again. */
  expired: flag(),
  /** The last posting; null: the route was never posted. */
  posting: optional(json<Posting>()),
  /** Members of the posting, for searches. */
  fleet_ids: integers(),
  start_at: optional(code()),
  /** The current driver, and the driver who claimed the route on the board. */
  driver_id: optional(integer()),
  holder: optional(integer()),
  held_by: optional(integer()),
  hold_until: optional(code()),
  /** Time of the last posting, withdrawal or lapsed reservation: RFC 3339, UTC. */
  free_since: code(),
  queue: integers(),
  late_withdrawals: integer(),
  started_at: optional(code()),
  finished_at: optional(code()),
  revision: integer(),
};
export type BoardRow = RowOf<typeof columns>;

const without = (queue: readonly number[], driver: number): number[] => queue.filter((one) => one !== driver);
const unclaimedBoard = { posted: false, holder: null, held_by: null, hold_until: null, queue: [] };

export const board = table({
  name: 'board',
  version: 3,
  prefixes: [ROUTE_PREFIX],
  columns,
  indexes: [
    'using gin (fleet_ids)',
    '(business, start_at, id) where posting is not null',
    '(driver_id, date) where driver_id is not null',
  ],
  fold: startsWith(
    RouteCreated,
    ({ route_id: id, business, broker_id = null, schedule_date: date, driver_id = null }, event): BoardRow => ({
      id,
      business,
      broker_id,
      date,
      posting: null,
      fleet_ids: [],
      start_at: null,
      driver_id,
      free_since: recordedAt(event),
      late_withdrawals: 0,
      expired: false,
      started_at: null,
      finished_at: null,
      ...unclaimedBoard,
      revision: event.revision,
    }),
  )
    .on(RoutePosted, ({ posted_by: _by, ...posting }, _row, event) => ({
      free_since: recordedAt(event),
      posted: true,
      expired: false,
      posting,
      fleet_ids: [...posting.fleet_ids],
      start_at: new Date(posting.start_at).toISOString(),
    }))
    .on(RouteUnposted, ({ why }) => ({ ...unclaimedBoard, expired: why === 'expired' }))
    .on(RouteDriverAssigned, ({ driver_id = null }, { holder }, event) => ({
      driver_id,
      free_since: recordedAt(event),
      ...(driver_id !== holder && { holder: null }),
    }))
    .on(RouteClaimed, ({ driver_id }, { queue }) => ({
      holder: driver_id,
      held_by: null,
      hold_until: null,
      queue: without(queue, driver_id),
    }))
    .on(RouteClaimWithdrawn, ({ late }, { late_withdrawals }) => ({
      late_withdrawals: late_withdrawals + (late ? 1 : 0),
    }))
    .on(StandbyJoined, ({ driver_id }, { queue }) => ({ queue: [...queue, driver_id] }))
    .on(StandbyLeft, ({ driver_id }, { queue }) => ({ queue: without(queue, driver_id) }))
    .on(StandbyPromoted, ({ driver_id, hold_until }, { queue }) => ({
      held_by: driver_id,
      hold_until: new Date(hold_until).toISOString(),
      queue: without(queue, driver_id),
    }))
    .on(StandbyHoldLapsed, (_data, _row, event) => ({ held_by: null, hold_until: null, free_since: recordedAt(event) }))
    // Routes that were closed by older versions have no RouteUnposted event, so this event ends their posting.
    .on(RouteClosed, (_data, { holder }) => (holder === null ? unclaimedBoard : { queue: [] }))
    .on(RouteStarted, ({ at }) => ({ started_at: at }))
    .on(RouteFinished, ({ at }) => ({ finished_at: at })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'board', { 'board.board': BoardRow }> {}
}
