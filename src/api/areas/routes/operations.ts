/** Routes: made and read; which orders are on them is an event of each order. */
import { ROUTE_IDS } from '../../../projections/routes/read-model.js';
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { localDate } from '../../../events/core/local-time.js';
import { orderStream } from '../../../events/orders/events.js';
import { ROUTE_STATUSES } from '../../../events/routes/events.js';
import type { BoardQueries } from '../../../projections/board/queries.js';
import type { BoardRow } from '../../../projections/board/read-model.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { MAX_ORDERS, orderErrorSchema, orderIdsSchema, perOrder, unique } from '../orders/per-order.js';
import { allowPastDate, checkDate } from '../orders/input.js';
import { createDriverNames } from './driver-names.js';
import { inSequence } from './planned.js';
import { progressOf } from './locks.js';
import { ROUTE_VERSION, routeDetailsSchema, routeSchema, toRoute, toRouteOrder } from './shapes.js';
import { toRouteStops } from './stops.js';
import { createDriving, type DrivingOptions } from './driving.js';
import { createTelling, routeViewer } from './telling.js';

export interface RoutesOptions
  extends Pick<DrivingOptions, 'fleets'>, Parts<'routes' | 'orders' | 'planning' | 'accounts'> {
  readonly commands: Pick<Commands, 'routes' | 'orders' | 'drivers'>;
  readonly board: BoardQueries;
  /** Among those who wait for a route on the board, who may have it. */
  readonly promotable: (row: BoardRow) => Promise<ReadonlySet<number>>;
}

const READ = {
  area: 'Routes',
  callers: ['client_admin', 'employee', 'broker', 'driver', 'auditor'],
  scopes: ['routes:read'],
  reads: ['routes', 'orders', 'accounts'],
} as const;
const WRITE = {
  area: 'Routes',
  callers: ['client_admin', 'employee', 'broker'],
  scopes: ['routes:write'],
  writes: true,
  risk: 'medium',
} as const;
const NOT_THERE = { 404: "There is no such route, or it is not the caller's." };
const done = z.object({ result: z.boolean() });
const counted = {
  result: z.boolean().describe('True when at least one order was changed.'),
  skipped: z.int(),
  errors: z.array(orderErrorSchema),
};

export function routeOperations(options: RoutesOptions): Operation[] {
  const { commands, routes, orders, planning, accounts, board, promotable } = options;
  const { orderPlanner, tell } = createTelling(commands, planning);
  const names = createDriverNames(accounts);
  const { mustDrive, give, freeIfEmpty } = createDriving(options);

  return [
    operation({
      ...READ,
      name: 'routes',
      summary: 'List routes, newest first',
      description: 'Contractors see the routes that they made, drivers their own.',
      rest: { method: 'get', path: '/v1/routes' },
      input: z.object({
        status: z.enum(ROUTE_STATUSES).optional(),
        schedule_date: z.iso.date().optional(),
        driver_id: idSchema.optional(),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, routes: z.array(routeSchema) }),
      async run({ status, schedule_date, driver_id, ...page }, { caller }) {
        const { routes: found, ...listed } = await routes.list(
          { status, date: schedule_date, driverId: driver_id, ...rangeOf(page) },
          routeViewer(caller),
        );
        const driverIds = found.map((route) => route.driver_id);
        const drivers = await names(caller, driverIds);
        return {
          ...pageOf(page, listed),
          routes: found.map((route) => toRoute(route, drivers.get(route.driver_id ?? 0))),
        };
      },
    }),

    operation({
      ...READ,
      name: 'route',
      versioned: ROUTE_VERSION,
      summary: 'One route with its orders and their stops',
      rest: { method: 'get', path: '/v1/routes/:route_id' },
      answers: NOT_THERE,
      input: z.object({ route_id: idSchema }),
      output: z.object({ result: z.boolean(), route: routeDetailsSchema }),
      async run({ route_id }, { caller }) {
        const route = await routes.byId(route_id, routeViewer(caller));
        if (!route) throw new ApiError('ROUTE_NOT_FOUND');
        const found = await orders.list(
          { offset: 0, limit: MAX_ORDERS },
          { business: route.business, routeIds: [route_id] },
        );
        return {
          result: true,
          route: {
            ...toRoute(route, (await names(caller, [route.driver_id])).get(route.driver_id ?? 0)),
            stage: progressOf(route, found.orders),
            stops: toRouteStops(route, found.orders),
            orders: inSequence(found.orders, route.planned).map(toRouteOrder),
          },
        };
      },
    }),

    operation({
      ...WRITE,
      name: 'routeCreate',
      returns: { read: 'route' },
      summary: 'Make a route, without orders yet',
      rest: { method: 'post', path: '/v1/routes', status: 201 },
      awaits: ['routes'],
      answers: { 422: 'This is not a driver of the business.' },
      input: z.object({
        name: z.string().trim().min(1).max(100),
        schedule_date: z.iso.date(),
        allow_past_date: allowPastDate,
        driver_id: idSchema.optional(),
      }),
      output: done,
      async run({ name, schedule_date, allow_past_date, driver_id }, context) {
        checkDate(schedule_date, localDate(context.time, userOf(context.caller).timezone), allow_past_date);
        await mustDrive(context.caller, driver_id);
        const [routeId] = await context.reserveIds(ROUTE_IDS, 1);
        context.wrote(
          await tell(
            routeId!,
            { do: 'create', name, schedule_date, ...(driver_id !== undefined && { driverId: driver_id }) },
            context,
          ),
        );
        return { result: true, route_id: routeId! };
      },
    }),

    operation({
      ...WRITE,
      name: 'routeAddOrders',
      returns: { read: 'route' },
      summary: 'Put orders on a route',
      description:
        'A contractor: on its own routes, orders that are assigned to it or that its rules let it plan. What is refused is reported per order: held, on another route, with a third party, assigned to a contractor. To a contractor all others are orders that do not exist.',
      rest: { method: 'post', path: '/v1/routes/:route_id/orders' },
      awaits: ['orders', 'assignments'],
      missing: { order_ids: 'MISSING_ORDERS' },
      answers: { ...NOT_THERE, 409: 'The route is closed.', 422: 'Missing orders.' },
      input: z.object({ route_id: idSchema, order_ids: orderIdsSchema }),
      output: z.object({ ...counted, added: z.int() }),
      async run({ route_id, order_ids }, context) {
        await tell(route_id, { do: 'plan' }, context);
        const who = await orderPlanner(context);
        const { done: added, errors } = await perOrder(unique(order_ids), context, (orderId) =>
          commands.orders(
            orderStream(orderId),
            { ...who, do: 'put_on_route', orderId, routeId: route_id },
            context.cause,
          ),
        );
        return { result: added > 0, added, skipped: errors.length, errors };
      },
    }),

    operation({
      ...WRITE,
      name: 'routeRemoveOrders',
      returns: { read: 'route' },
      summary: 'Take orders off a route',
      description: 'What the driver has not begun waits as before; what is out for delivery comes back to a warehouse.',
      rest: { method: 'post', path: '/v1/routes/:route_id/orders/remove' },
      awaits: ['orders', 'assignments'],
      missing: { order_ids: 'MISSING_ORDERS' },
      answers: { ...NOT_THERE, 422: 'Missing orders.' },
      input: z.object({ route_id: idSchema, order_ids: orderIdsSchema }),
      output: z.object({ ...counted, removed: z.int() }),
      async run({ route_id, order_ids }, context) {
        await tell(route_id, { do: 'unplan' }, context);
        const who = await orderPlanner(context);
        const { done: removed, errors } = await perOrder(unique(order_ids), context, (orderId) =>
          commands.orders(
            orderStream(orderId),
            { ...who, do: 'take_off_route', orderId, routeId: route_id },
            context.cause,
          ),
        );
        return { result: removed > 0, removed, skipped: errors.length, errors };
      },
    }),

    operation({
      ...WRITE,
      name: 'routeDriverSet',
      versioned: ROUTE_VERSION,
      returns: { read: 'route' },
      summary: 'Give a route to a driver, or take it from its driver',
      description:
        'What stands on the board of routes: given to somebody it leaves the board, taken away it is held for who waits. Where its times are known, by its posting or plan, the time of the driver is reserved. Contractors give it to drivers of their fleets.',
      rest: { method: 'put', path: '/v1/routes/:route_id/driver' },
      awaits: ['routes', 'board', 'driver_times'],
      reads: ['board', 'fleets', 'routes'],
      answers: {
        ...NOT_THERE,
        409: 'The route is closed, or the driver has something else at its times: `what`.',
        422: 'This is not a driver of the business.',
      },
      input: z.object({ route_id: idSchema, driver_id: idSchema.nullable().describe('Null: nobody.') }),
      output: done,
      async run({ route_id, driver_id }, context) {
        await mustDrive(context.caller, driver_id);
        const row = await board.byId(route_id, { business: businessOf(context.caller) });
        // Who waits on the board for it is next, where it is taken from its holder.
        const eligible = row && driver_id === null ? await promotable(row) : new Set<number>();
        const command = { do: 'assign_driver', driverId: driver_id ?? undefined, now: context.time, eligible } as const;
        await give(route_id, driver_id, context, () => tell(route_id, command, context));
        return { result: true };
      },
    }),

    operation({
      ...WRITE,
      name: 'routeClose',
      versioned: ROUTE_VERSION,
      returns: { read: 'route' },
      summary: 'Close a route',
      description: 'Nothing more is planned on it. If it has no orders, its driver is free again.',
      rest: { method: 'post', path: '/v1/routes/:route_id/close' },
      awaits: ['routes', 'board', 'driver_times'],
      reads: ['board', 'orders'],
      answers: NOT_THERE,
      input: z.object({ route_id: idSchema }),
      output: done,
      async run({ route_id }, context) {
        context.wrote(await tell(route_id, { do: 'close' }, context));
        await freeIfEmpty(route_id, context);
        return { result: true };
      },
    }),
  ];
}
