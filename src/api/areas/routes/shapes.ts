/** Routes and their stops as the API shows them. */
import { z } from 'zod';
import {
  ORDER_TYPES,
  type OrderStatus,
  ORDER_STATUS_NAMES,
  stopSchema,
  timeWindowSchema,
} from '../../../events/orders/events.js';
import { ROUTE_KINDS, ROUTE_STATUSES, routeStream } from '../../../events/routes/events.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { Route } from '../../../projections/routes/queries.js';
import { MAX_ORDERS } from '../orders/per-order.js';
import { PROGRESS } from './locks.js';
import { STOPS } from './planned.js';
import { routeStopSchema } from './stops.js';
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
        z.object({
          kind: z.enum(['pickup', 'delivery']),
          address: z.object(stopSchema.shape),
          time_windows: z.array(timeWindowSchema.omit({ stop: true })),
        }),
      )
      .describe('Where the driver goes for it.'),
  })
  .meta({ id: 'RouteOrder' });

export const routeSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    schedule_date: z.string().describe('The day on which it is driven, `YYYY-MM-DD`.'),
    status: z.enum(ROUTE_STATUSES),
    kind: z.enum(ROUTE_KINDS).describe('`instant`: of a rider; its orders come one by one.'),
    driver_id: z.int().nullable(),
    driver_name: z.string().nullable().describe('Null for contractors.'),
    vehicle_id: z.string().nullable().describe('In which it is driven, as its last plan says; null: none does.'),
    fleet_id: z.int().nullable().describe('Of the shift that it was planned for.'),
    broker_id: z.int().nullable().describe('The contractor that planned it; null: the business itself.'),
    order_count: z.int().describe('Also those that have ended on it.'),
    route_plan_id: z.int().nullable().describe('The plan that made its sequence; null: none did.'),
    planned_start_at: z.string().nullable(),
    planned_end_at: z.string().nullable(),
    started_at: z.string().nullable().describe('ISO 8601; null: nobody started it.'),
    finished_at: z.string().nullable(),
    created_at: z.string().describe('ISO 8601.'),
    version: versionSchema,
  })
  .meta({ id: 'Route' });

/** Which orders are on a route is in the streams of the orders: they have versions of their own. */
export const ROUTE_VERSION = versionBy('route_id', routeStream);

/** Of one route. */
export const routeDetailsSchema = z
  .object({
    ...routeSchema.shape,
    stage: z.enum(PROGRESS).describe('As it was started and finished, else as its orders say.'),
    stops: z.array(routeStopSchema).describe('In the planned sequence; what is on it and in no plan comes last.'),
    orders: z.array(routeOrderSchema).describe(`At most ${MAX_ORDERS}.`),
  })
  .meta({ id: 'RouteDetails' });

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
