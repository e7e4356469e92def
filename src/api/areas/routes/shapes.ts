/** Routes and their stops as the API shows them. */
import { z } from 'zod';
import {
  ORDER_TYPES,
  type OrderStatus,
  ORDER_STATUS_NAMES,
  stopSchema,
  timeWindowSchema,
  type OrderType,
} from '../../../events/orders/events.js';
import { ROUTE_KINDS, ROUTE_STATUSES } from '../../../events/routes/events.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { Route } from '../../../projections/routes/queries.js';

export const routeSchema = z
  .object({
    route_id: z.int(),
    name: z.string(),
    schedule_date: z.string().describe('The day it is driven, `YYYY-MM-DD`: the member that `POST /v1/routes` takes.'),
    scheduled_date: z.string().describe('The same as `schedule_date`, under the name it was first answered by.'),
    status: z.enum(ROUTE_STATUSES),
    kind: z.enum(ROUTE_KINDS).describe('`instant`: of a rider; its orders come one by one.'),
    driver_id: z.int().nullable(),
    driver_name: z.string().nullable().describe('Null for contractors.'),
    vehicle_id: z.string().nullable().describe('In which it is driven, as its last plan says; null: none does.'),
    fleet_id: z.int().nullable().describe('Of the shift that it was planned for.'),
    broker_id: z.int().nullable().describe('The contractor that planned it; null: the business itself.'),
    order_count: z.int().describe('Also those that have ended on it.'),
    plan_id: z.int().nullable().describe('The plan that made its sequence; null: none did.'),
    planned_start: z.string().nullable(),
    planned_end: z.string().nullable(),
    started_at: z.string().nullable().describe('ISO 8601; null: nobody started it.'),
    finished_at: z.string().nullable(),
    created_at: z.string().describe('ISO 8601.'),
  })
  .meta({ id: 'Route' });

const at = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1_000).toISOString();

export function toRoute(
  {
    id,
    schedule_date,
    business: _business,
    created_by: _by,
    planned,
    planned_orders: _planned,
    pins: _pins,
    driver_since: _since,
    revision: _revision,
    ...route
  }: Route,
  driverName: string | undefined,
): z.infer<typeof routeSchema> {
  return {
    ...route,
    route_id: id,
    schedule_date,
    scheduled_date: schedule_date,
    driver_name: driverName ?? null,
    plan_id: planned?.plan_id ?? null,
    planned_start: at(planned?.start),
    planned_end: at(planned?.end),
  };
}

export const routeOrderSchema = z
  .object({
    order_id: z.int(),
    order_ref: z.string().nullable(),
    order_type: z.enum(ORDER_TYPES),
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

/** The other end is a warehouse of the business. */
export const STOPS: Readonly<Record<OrderType, readonly ('pickup' | 'delivery')[]>> = {
  D: ['delivery'],
  P: ['pickup'],
  P2P: ['pickup', 'delivery'],
};

export function toRouteOrder(order: Order): z.infer<typeof routeOrderSchema> {
  const { id, order_ref, type, status, status_id, packages, delivery_instruction = null, time_windows } = order;
  const stops = STOPS[type].map((kind) => ({
    kind,
    address: order[kind] ?? {},
    time_windows: time_windows.filter(({ stop }) => stop === kind).map(({ from, to }) => ({ from, to })),
  }));
  return {
    order_id: id,
    order_ref,
    order_type: type,
    status,
    order_status_id: status_id,
    tracking_numbers: packages.map(({ tracking_number }) => tracking_number),
    delivery_instruction,
    stops,
  };
}
