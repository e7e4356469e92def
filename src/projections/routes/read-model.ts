/** The read model of routes. The orders of a route are found in the read model of orders. */
import { RouteFinished, RouteStarted } from '../../events/routes/board.js';
import {
  ROUTE_PREFIX,
  RouteClosed,
  RouteCreated,
  RouteDriverAssigned,
  RoutePlanned,
  RouteStopsPinned,
  RouteStopsUnpinned,
  type Pin,
  type PlannedStop,
  type RouteKind,
  type RouteStatus,
} from '../../events/routes/events.js';
import { code, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of routes. */
export const ROUTE_IDS = sequence('routes', { readModel: 'routes', table: 'routes.routes' });

export interface PlannedRoute {
  readonly plan_id?: number;
  /** Seconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly distance_m: number;
  readonly stops: readonly PlannedStop[];
}

const columns = {
  id: integer(),
  business: integer(),
  /** Plaintext in events of version 1, which queries hide after an erasure; null: in `sealed`. */
  name: optional(text()),
  sealed: json<SealedMembers[]>(),
  schedule_date: code(),
  driver_id: optional(integer()),
  /** Time when the current driver was assigned, or the last driver was removed: RFC 3339, UTC. */
  driver_since: code(),
  /** The contractor that planned the route. */
  broker_id: optional(integer()),
  status: text<RouteStatus>(),
  /** The stops in the order of the latest plan. */
  planned: optional(json<PlannedRoute>()),
  /** Planned start: RFC 3339, UTC. */
  planned_start: optional(code()),
  /** Orders that the last plan put on the route. A user added any other orders. */
  planned_orders: json<readonly number[]>(),
  /** Keyed by order id. */
  pins: json<Readonly<Record<string, Pin>>>(),
  kind: text<RouteKind>(),
  /** Vehicle and fleet from the plan that created the route. Later plans may change the vehicle. */
  vehicle_id: optional(text()),
  fleet_id: optional(integer()),
  started_at: optional(code()),
  finished_at: optional(code()),
  created_by: optional(integer()),
  created_at: text(),
  revision: integer(),
};
export type RouteRow = RowOf<typeof columns>;

export const routes = table({
  name: 'routes',
  version: 6,
  prefixes: [ROUTE_PREFIX],
  columns,
  indexes: [
    '(business, id)',
    '(business, schedule_date, id)',
    '(driver_id, schedule_date) where driver_id is not null',
  ],
  fold: startsWith(
    RouteCreated,
    ({ route_id: id, business, name, schedule_date, kind = 'tour', ...more }, event): RouteRow => ({
      id,
      business,
      name: name ?? null,
      sealed: [sealedMembersOf(event)],
      schedule_date,
      driver_id: more.driver_id ?? null,
      driver_since: recordedAt(event),
      broker_id: more.broker_id ?? null,
      status: 'open',
      planned: null,
      planned_start: null,
      planned_orders: [],
      pins: {},
      kind,
      vehicle_id: more.vehicle_id ?? null,
      fleet_id: more.fleet_id ?? null,
      started_at: null,
      finished_at: null,
      created_by: more.created_by ?? null,
      created_at: recordedAt(event),
      revision: event.revision,
    }),
  )
    .on(RouteDriverAssigned, ({ driver_id = null }, _row, event) => ({ driver_id, driver_since: recordedAt(event) }))
    .on(RoutePlanned, ({ planned_by: _by, vehicle_id, ...planned }) => ({
      planned,
      ...(vehicle_id !== undefined && { vehicle_id }),
      planned_start: new Date(planned.start * 1_000).toISOString(),
      ...(planned.plan_id !== undefined && { planned_orders: planned.stops.flatMap(({ order_id }) => order_id ?? []) }),
    }))
    .on(RouteStopsPinned, ({ order_ids, pin }, { pins }) => ({
      pins: { ...pins, ...Object.fromEntries(order_ids.map((id) => [id, pin])) },
    }))
    .on(RouteStopsUnpinned, ({ order_ids }, { pins }) => ({
      pins: Object.fromEntries(Object.entries(pins).filter(([id]) => !order_ids.includes(Number(id)))),
    }))
    .on(RouteStarted, ({ at }) => ({ started_at: at }))
    .on(RouteFinished, ({ at }) => ({ finished_at: at }))
    .on(RouteClosed, () => ({ status: 'closed' })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'routes', { 'routes.routes': RouteRow }> {}
}
