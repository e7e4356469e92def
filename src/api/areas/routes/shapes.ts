/** Routes and their stops in responses. */
import { z } from 'zod';
import { ORDER_TYPES, type OrderStatus, ORDER_STATUS_NAMES } from '../../../events/orders/events.js';
import { ROUTE_KINDS, ROUTE_STATUSES, routeStream } from '../../../events/routes/events.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { Route } from '../../../projections/routes/queries.js';
import { stopSchema, timeWindowSchema } from '../orders/output.js';
import { MAX_ORDERS } from '../orders/per-order.js';
import { PROGRESS } from './locks.js';
import { STOPS } from './planned.js';
import { routeStopSchema } from './stops.js';
import { RELATIONS } from '../../core/relations.js';
import { versionBy, versionSchema } from '../../core/versions.js';

export const routeOrderSchema = z
  .object({
    id: z.int(),
    order_ref: z.string().nullable(),
    type: z.enum(ORDER_TYPES),
    status: z.enum(ORDER_STATUS_NAMES as [OrderStatus, ...OrderStatus[]]),
    order_status_id: z.int(),
    tracking_numbers: z.array(z.string()),
    delivery_instruction: z.string().nullable(),
    stops: z
      .array(
        z
          .object({
            kind: z.enum(['pickup', 'delivery']),
            address: stopSchema,
            time_windows: z.array(timeWindowSchema.omit({ stop: true }).meta({ id: 'StopTimeWindow' })),
          })
          .meta({ id: 'RouteOrderStop' }),
      )
      .describe('Stops that the driver makes for the order.'),
  })
  .meta({ id: 'RouteOrder' });

const ROUTE_RELATIONS = { driver: 'driver', fleet: 'fleet', route_plan: 'routePlan' };

export const routeSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    schedule_date: z.string().describe('Date on which the route is driven, `YYYY-MM-DD`.'),
    status: z.enum(ROUTE_STATUSES),
    kind: z
      .enum(ROUTE_KINDS)
      .describe('`instant`: route of a rider, to which orders are added one by one. `tour`: any other route.'),
    driver_id: z.int().nullable(),
    driver_name: z.string().nullable().describe('Name of the driver. Null if the caller is a contractor.'),
    vehicle_id: z.string().nullable().describe('Vehicle that the last plan used for the route. Null: no vehicle.'),
    fleet_id: z.int().nullable().describe('Fleet of the shift for which the route was planned.'),
    broker_id: z.int().nullable().describe('Contractor who planned the route. Null: the business itself.'),
    order_count: z.int().describe('Number of orders, including finished orders.'),
    route_plan_id: z.int().nullable().describe('Plan that set the current sequence. Null: no plan set it.'),
    planned_start_at: z.string().nullable(),
    planned_end_at: z.string().nullable(),
    started_at: z
      .string()
      .nullable()
      .describe('Time at which the route was started, ISO 8601. Null: the route was not started.'),
    finished_at: z.string().nullable(),
    created_at: z.string().describe('ISO 8601.'),
    version: versionSchema,
  })
  .meta({ id: 'Route' })
  .register(RELATIONS, ROUTE_RELATIONS);

export const ROUTE_VERSION = versionBy('route_id', routeStream);
/** A route in a driver's day, with its orders. */
export const driverRouteSchema = z
  .object({ ...routeSchema.shape, orders: z.array(routeOrderSchema) })
  .meta({ id: 'DriverRoute' });

/** The response for a single route. */
export const routeDetailsSchema = z
  .object({
    ...routeSchema.shape,
    stage: z
      .enum(PROGRESS)
      .describe(
        'Progress of the route. It is based on the recorded start and finish, or else on the statuses of the orders.',
      ),
    stops: z.array(routeStopSchema).describe('Stops in the planned sequence; unplanned stops come last.'),
    orders: z.array(routeOrderSchema).describe(`Orders of the route. At most ${MAX_ORDERS}.`),
  })
  .meta({ id: 'RouteDetails' })
  .register(RELATIONS, ROUTE_RELATIONS);

const at = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1_000).toISOString();

export function toRoute(
  {
    id,
    business: _business,
    created_by: _by,
    planned,
    planned_orders: _planned,
    planned_start: _start,
    pins: _pins,
    driver_since: _since,
    revision: version,
    ...route
  }: Route,
  driverName: string | undefined,
): z.infer<typeof routeSchema> {
  return {
    ...route,
    id,
    driver_name: driverName ?? null,
    route_plan_id: planned?.plan_id ?? null,
    planned_start_at: at(planned?.start),
    planned_end_at: at(planned?.end),
    version,
  };
}

export function toRouteOrder(order: Order): z.infer<typeof routeOrderSchema> {
  const { id, order_ref, type, status, status_id, packages, delivery_instruction = null, time_windows } = order;
  const stops = STOPS[type].map((kind) => ({
    kind,
    address: order[kind] ?? {},
    time_windows: time_windows.filter(({ stop }) => stop === kind).map(({ from, to }) => ({ from, to })),
  }));
  return {
    id,
    order_ref,
    type,
    status,
    order_status_id: status_id,
    tracking_numbers: packages.map(({ tracking_number }) => tracking_number),
    delivery_instruction,
    stops,
  };
}
