/** Defines the items of the board: observed facts, and the query that finds them. Items contain no predictions. */
import { sql, type RawBuilder } from 'kysely';
import type { DispatchSettings } from '../../../events/planning/events.js';
import { hasOpenStop } from '../../orders/status-conditions.js';

/** The view of a board: its business, its day, and the current time. */
export interface BoardView {
  readonly business: number;
  /** `YYYY-MM-DD`, in the business's time zone. */
  readonly date: string;
  readonly timezone: string;
  /** Start of that day: RFC 3339, UTC. */
  readonly dayStart: string;
  readonly dayEnd: string;
  /** The current time on that day as `HH:MM`. Before that day `''`, after it `24:00`. */
  readonly clock: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly settings: Required<DispatchSettings>;
  /** Only items of this contractor. */
  readonly brokerId?: number | undefined;
  /** Only routes of drivers in the captain's fleets, and routes without a driver that were posted to these fleets. */
  readonly captainId?: number | undefined;
  readonly fleetId?: number | undefined;
  readonly routeId?: number | undefined;
  /** Only items about these orders, routes, plans and jobs. */
  readonly orders?: readonly number[] | undefined;
  readonly routes?: readonly number[] | undefined;
  readonly plans?: readonly number[] | undefined;
  readonly jobs?: readonly string[] | undefined;
}

export interface ItemRow {
  /** `<kind>:<id>`, or `<kind>:<id>:<n>` if the subject may have several items of the kind. */
  readonly item: string;
  readonly kind: string;
  /** 1 is the most severe. */
  readonly severity: number;
  /** RFC 3339, UTC. */
  readonly since: string;
  readonly order_id: number | null;
  readonly route_id: number | null;
  readonly plan_id: number | null;
  readonly job_id: string | null;
  readonly driver_id: number | null;
  readonly order_ref: string | null;
  /** Only ids, codes and times. They contain no personal data, and nothing that changes just because time passes. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface ItemSource {
  readonly kind: string;
  readonly severity: 1 | 2 | 3;
  readonly about: 'order' | 'route' | 'plan' | 'job';
  /** SQL that returns rows with the columns of `ItemRow`. */
  readonly select: (view: BoardView) => RawBuilder<ItemRow>;
}

type Sql = RawBuilder<unknown>;
const none = sql``;

/** A timestamp as RFC 3339, UTC. */
export const utc = (moment: Sql): Sql => sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** The time that is `minutes` before the time of the view: RFC 3339, UTC. */
export const minutesBefore = ({ now }: BoardView, minutes: number): string =>
  new Date(now - minutes * 60_000).toISOString();

interface OrderSource {
  readonly kind: string;
  readonly severity: ItemSource['severity'];
  readonly where: (view: BoardView) => Sql;
  readonly since: (view: BoardView) => Sql;
  /** SQL that follows `orders.orders o`. */
  readonly joins?: Sql;
  /** jsonb, in addition to the common members. */
  readonly facts?: Sql;
  /** Distinguishes several items of one order. */
  readonly nth?: Sql;
}

/** Null if nothing was scanned yet. */
const LAST_SCAN = sql`case when o.last_scan_at is not null then jsonb_strip_nulls(jsonb_build_object(
  'status_code', o.last_scan_code, 'at', o.last_scan_at, 'reason_code', o.last_scan_reason, 'driver_id', o.last_scan_driver)) end`;

/** Items about orders `o`. */
export function ofOrders({ kind, severity, where, since, joins = none, facts, nth }: OrderSource): ItemSource {
  return {
    kind,
    severity,
    about: 'order',
    select: (view) => sql<ItemRow>`
      select ${sql.lit(`${kind}:`)} || o.id${nth ? sql` || ':' || ${nth}` : none} as item, ${sql.lit(kind)} as kind, ${sql.lit(severity)} as severity,
        ${since(view)} as since, o.id as order_id, o.route_id, null::int as plan_id, null::text as job_id, null::int as driver_id, o.order_ref,
        jsonb_build_object('status', o.status, 'schedule_date', o.schedule_date, 'route_id', o.route_id, 'contractor_id', o.broker_id,
          'status_since', o.status_since, 'free_since', o.free_since, 'last_scan', ${LAST_SCAN})
          ${facts ? sql`|| ${facts}` : none} as facts
      from orders.orders o ${joins}
      where o.business = ${view.business} and ${where(view)} ${seenOrders(view)}`,
  };
}

interface RouteSource {
  readonly kind: string;
  readonly severity: ItemSource['severity'];
  readonly where: (view: BoardView) => Sql;
  readonly since: (view: BoardView) => Sql;
  /** SQL that follows `board_routes r`. */
  readonly joins?: (view: BoardView) => Sql;
  /** jsonb, in addition to the common members. */
  readonly facts?: Sql;
}

/** Items about routes `r` from `board_routes`, with the number of their open stops. */
export function ofRoutes({ kind, severity, where, since, joins, facts }: RouteSource): ItemSource {
  return {
    kind,
    severity,
    about: 'route',
    select: (view) => sql<ItemRow>`
      select ${sql.lit(`${kind}:`)} || r.id as item, ${sql.lit(kind)} as kind, ${sql.lit(severity)} as severity,
        ${since(view)} as since, null::int as order_id, r.id as route_id, null::int as plan_id, null::text as job_id, r.driver_id, null::text as order_ref,
        jsonb_build_object('status', r.status, 'schedule_date', r.schedule_date, 'contractor_id', r.broker_id, 'driver_id', r.driver_id, 'driver_since', r.driver_since,
          'orders', r.orders, 'open_stops', r.open_stops, 'last_scan_at', r.last_scan_at) ${facts ? sql`|| ${facts}` : none} as facts
      from board_routes r ${joins ? joins(view) : none}
      where ${where(view)} ${(view.orders ?? view.plans ?? view.jobs) && !view.routes ? sql`and false` : none}`,
  };
}

/** SQL condition: the driver still has to work on order `o` of a route. */
const OPEN_STOP = sql.raw(hasOpenStop('o.'));

/** Routes of the day, unfinished routes of earlier days, and later routes that are posted without a driver. */
export const boardRoutes = (view: BoardView): Sql => sql`
  select r.id, r.status, r.schedule_date, r.broker_id, r.driver_id, r.driver_since, r.created_at, r.planned_start,
    b.free_since, b.started_at, b.finished_at, b.posted, b.expired, b.held_by, b.start_at, b.posting ->> 'closes_at' as closes_at, s.*
  from (
    select id from routes.routes where business = ${view.business} and schedule_date = ${view.date}
    union all
    select earlier.id from (
      select distinct o.route_id from orders.orders o
      where o.business = ${view.business} and o.route_id is not null and ${OPEN_STOP}) o
    join routes.routes earlier on earlier.id = o.route_id and earlier.schedule_date < ${view.date}
    union all
    select id from board.board where business = ${view.business} and posting is not null and start_at > ${view.dayStart}
      and date > ${view.date} and driver_id is null and (posted or expired)) due
  join routes.routes r on r.id = due.id
  left join board.board b on b.id = r.id
  cross join lateral (
    select count(*)::int as orders, count(*) filter (where ${OPEN_STOP})::int as open_stops,
      max(o.last_scan_at) filter (where o.last_scan_driver = r.driver_id) as last_scan_at
    from orders.orders o where o.route_id = r.id) s
  where r.business = ${view.business}
  ${seenRoutes(view)}`;

/** SQL condition on fleets `f`: fleets of this captain, or this fleet. */
const captained = ({ captainId }: BoardView): Sql => sql`f.captains @> array[${captainId}::int]`;
const ofFleet = ({ fleetId }: BoardView): Sql => sql`f.id = ${fleetId}`;

/** SQL condition on routes `r`: a driver of these fleets has the route, or it has no driver and was posted to them. */
const driven = ({ business }: BoardView, fleets: Sql): Sql => {
  const from = sql`from fleets.fleets f where f.business = ${business} and not f.dissolved and ${fleets}`;
  return sql`(r.driver_id in (select unnest(f.drivers) ${from}) or (r.driver_id is null and exists (
    select from board.board p where p.id = r.id and (p.posted or p.expired) and p.fleet_ids && array(select f.id ${from}))))`;
};

/** SQL that follows the conditions on routes `r`. */
export function seenRoutes(view: BoardView): Sql {
  const { brokerId, captainId, fleetId, routeId, routes } = view;
  return sql.join(
    [
      ...(brokerId !== undefined ? [sql`and r.broker_id = ${brokerId}`] : []),
      ...(captainId !== undefined ? [sql`and ${driven(view, captained(view))}`] : []),
      ...(fleetId !== undefined ? [sql`and ${driven(view, ofFleet(view))}`] : []),
      ...(routeId !== undefined ? [sql`and r.id = ${routeId}`] : []),
      ...(routes !== undefined ? [sql`and r.id = any (${routes}::int[])`] : []),
    ],
    sql` `,
  );
}

/**
 * A contractor sees the orders that are assigned to it and the orders on its routes. A captain sees the orders on the
 * routes of its fleets.
 */
export function seenOrders(view: BoardView): Sql {
  const { brokerId, captainId, fleetId, routeId, orders, routes, plans, jobs } = view;
  const drivenBy = (fleets: Sql) =>
    sql`and o.route_id in (select r.id from routes.routes r where r.business = ${view.business} and ${driven(view, fleets)})`;
  return sql.join(
    [
      ...(brokerId !== undefined
        ? [
            sql`and (o.broker_id = ${brokerId} or o.route_id in (select r.id from routes.routes r where r.business = ${view.business} and r.broker_id = ${brokerId}))`,
          ]
        : []),
      ...(captainId !== undefined ? [drivenBy(captained(view))] : []),
      ...(fleetId !== undefined ? [drivenBy(ofFleet(view))] : []),
      ...(routeId !== undefined ? [sql`and o.route_id = ${routeId}`] : []),
      ...(orders !== undefined ? [sql`and o.id = any (${orders}::int[])`] : []),
      ...(orders === undefined && (routes ?? plans ?? jobs) !== undefined ? [sql`and false`] : []),
    ],
    sql` `,
  );
}
