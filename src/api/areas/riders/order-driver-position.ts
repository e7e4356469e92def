/**
 * The current position of the driver of an order. Staff see it while the route is under way. Customers see it rounded,
 * and only when at most one other stop comes first.
 */
import { z } from 'zod';
import type { Positions } from '../../../engines/postgres/positions.js';
import type { BoardQueries } from '../../../projections/board/queries.js';
import type { RiderQueries } from '../../../projections/riders/queries.js';
import type { RouteQueries } from '../../../projections/routes/queries.js';
import { userOf } from '../../core/callers.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { visibleOrder } from '../orders/viewer.js';
import { driverPosition } from './driver-position.js';
import { openStopsBefore } from './open-stops.js';
import { roundToHundredMetres } from './rounding.js';

export interface OrderDriverPositionOptions extends Parts<'orders'> {
  readonly positions: Pick<Positions, 'last'>;
  readonly queries: Pick<RiderQueries, 'onRoute'>;
  readonly boards: Pick<BoardQueries, 'byIds'>;
  readonly routes: Pick<RouteQueries, 'byId'>;
}

/** Older positions are not shown to customers. */
const MAX_POSITION_AGE_MS = 15 * 60_000;
const MISSING_REASONS = ['NOT_UNDER_WAY', 'NOT_YET', 'NOT_KNOWN'] as const;
const responseSchema = z.object({
  result: z.boolean(),
  order_id: z.int(),
  position: driverPosition.nullable(),
  why_not: z
    .enum(MISSING_REASONS)
    .nullable()
    .describe(
      'Reason why `position` is null. `NOT_UNDER_WAY`: no driver is on the way to the order. `NOT_YET`: other stops come first. `NOT_KNOWN`: there is no recent position.',
    ),
});
type DriverPositionResponse = z.infer<typeof responseSchema>;

export const orderDriverPosition = ({
  positions,
  queries,
  boards,
  orders,
  routes,
}: OrderDriverPositionOptions): Operation =>
  operation({
    name: 'orderDriverPosition',
    area: 'InstantRider',
    summary: 'Get the position of the driver of an order',
    description:
      'Returns a position while the route is under way and a stop of the order is open. Customers see the position only if at most one other stop comes first, and rounded to 100 metres. If there is no position, `position` is null and `why_not` contains the reason.',
    rest: { method: 'get', path: '/v1/orders/:order_id/driver-position' },
    callers: ['client_admin', 'employee', 'customer'],
    scopes: ['orders:read'],
    reads: ['orders', 'routes', 'board'],
    answers: { 404: 'There is no such order, or the caller cannot see it.' },
    input: z.object({ order_id: idSchema }),
    output: responseSchema,
    async run({ order_id }, { caller, time }): Promise<DriverPositionResponse> {
      const { route_id, business } = await visibleOrder(orders, caller, { order_id });
      const withoutPosition = (why_not: (typeof MISSING_REASONS)[number]): DriverPositionResponse => ({
        result: true,
        order_id,
        position: null,
        why_not,
      });
      if (route_id === null) return withoutPosition('NOT_UNDER_WAY');
      const [[boardRow], route, onRoute] = await Promise.all([
        boards.byIds([route_id]),
        routes.byId(route_id, { business }),
        queries.onRoute(route_id),
      ]);
      const before = openStopsBefore(order_id, onRoute, route?.planned ?? null);
      const driver = boardRow?.started_at != null && boardRow.finished_at === null ? boardRow.driver_id : null;
      if (driver === null || before === undefined) return withoutPosition('NOT_UNDER_WAY');
      const isCustomer = userOf(caller).role === 'customer';
      if (isCustomer && before > 1) return withoutPosition('NOT_YET');
      const place = await positions.last(driver);
      if (!place || (isCustomer && time - place.at.getTime() > MAX_POSITION_AGE_MS))
        return withoutPosition('NOT_KNOWN');
      const { latitude, longitude, accuracy_m = null } = place;
      const visiblePosition = isCustomer
        ? { ...roundToHundredMetres(place), accuracy_m: null }
        : { latitude, longitude, accuracy_m };
      return { result: true, order_id, position: { ...visiblePosition, at: place.at.toISOString() }, why_not: null };
    },
  });
