/** Operations on routes. Events of orders record which orders are on a route. */
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
import { createDriverAssignment, type DriverAssignmentOptions } from './driver-assignment.js';
import { createRouteCommands, routeViewer } from './route-commands.js';

export interface RoutesOptions
  extends Pick<DriverAssignmentOptions, 'fleets'>, Parts<'routes' | 'orders' | 'planning' | 'accounts'> {
  readonly commands: Pick<Commands, 'routes' | 'orders' | 'drivers'>;
  readonly board: BoardQueries;
  /** Drivers in the queue of a posted route who may be promoted. */
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
const NOT_FOUND = { 404: 'There is no such route, or the caller cannot see it.' };
const done = z.object({ result: z.boolean() });
const countFields = {
  result: z.boolean().describe('True if at least one order was changed.'),
  skipped: z.int(),
  errors: z.array(orderErrorSchema),
};

export function routeOperations(options: RoutesOptions): Operation[] {
  const { commands, routes, orders, planning, accounts, board, promotable } = options;
  const { orderCommandFields, sendToRoute } = createRouteCommands(commands, planning);
  const driverNames = createDriverNames(accounts);
  const { checkDriver, assign, releaseIfEmpty } = createDriverAssignment(options);

  return [
    operation({
      ...READ,
      name: 'routes',
      summary: 'List routes',
      description:
        'Lists routes, newest first. Contractors see only routes that they created. Drivers see only their own routes.',
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
        const drivers = await driverNames(caller, driverIds);
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
      summary: 'Get a route',
      description: 'Returns the route with its orders and stops, in the planned sequence, and its progress (`stage`).',
      rest: { method: 'get', path: '/v1/routes/:route_id' },
      answers: NOT_FOUND,
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
            ...toRoute(route, (await driverNames(caller, [route.driver_id])).get(route.driver_id ?? 0)),
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
      summary: 'Create a route',
      description: 'The route has no orders yet: add them with `routeAddOrders`.',
      rest: { method: 'post', path: '/v1/routes', status: 201 },
      awaits: ['routes'],
      answers: { 422: '`UNKNOWN_DRIVER`: the user is not a driver of the business.' },
      input: z.object({
        name: z.string().trim().min(1).max(100),
        schedule_date: z.iso.date(),
        allow_past_date: allowPastDate,
        driver_id: idSchema.optional(),
      }),
      output: done,
      async run({ name, schedule_date, allow_past_date, driver_id }, context) {
        checkDate(schedule_date, localDate(context.time, userOf(context.caller).timezone), allow_past_date);
        await checkDriver(context.caller, driver_id);
        const [routeId] = await context.reserveIds(ROUTE_IDS, 1);
        context.wrote(
          await sendToRoute(
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
      summary: 'Add orders to a route',
      description:
        'Each order succeeds or fails separately. `errors` contains the reason for each rejected order. Orders that are held, on another route, with a third party, or assigned to a contractor are rejected. Contractors can add orders only to their own routes: orders that are assigned to them, or that their rules allow. All other orders are not found for them.',
      rest: { method: 'post', path: '/v1/routes/:route_id/orders' },
      awaits: ['orders', 'assignments'],
      missing: { order_ids: 'MISSING_ORDERS' },
      answers: { ...NOT_FOUND, 409: 'The route is closed.', 422: '`order_ids` is missing or empty.' },
      input: z.object({ route_id: idSchema, order_ids: orderIdsSchema }),
      output: z.object({ ...countFields, added: z.int() }),
      async run({ route_id, order_ids }, context) {
        await sendToRoute(route_id, { do: 'plan' }, context);
        const commandFields = await orderCommandFields(context);
        const { done: added, errors } = await perOrder(unique(order_ids), context, (orderId) =>
          commands.orders(
            orderStream(orderId),
            { ...commandFields, do: 'put_on_route', orderId, routeId: route_id },
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
      summary: 'Remove orders from a route',
      description:
        'Orders whose delivery has not started can be planned again. Orders that are out for delivery must return to a warehouse.',
      rest: { method: 'post', path: '/v1/routes/:route_id/orders/remove' },
      risk: 'high',
      confirm: true,
      awaits: ['orders', 'assignments'],
      missing: { order_ids: 'MISSING_ORDERS' },
      answers: { ...NOT_FOUND, 422: '`order_ids` is missing or empty.' },
      input: z.object({ route_id: idSchema, order_ids: orderIdsSchema }),
      output: z.object({ ...countFields, removed: z.int() }),
      async run({ route_id, order_ids }, context) {
        await sendToRoute(route_id, { do: 'unplan' }, context);
        const commandFields = await orderCommandFields(context);
        const { done: removed, errors } = await perOrder(unique(order_ids), context, (orderId) =>
          commands.orders(
            orderStream(orderId),
            { ...commandFields, do: 'take_off_route', orderId, routeId: route_id },
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
      summary: 'Assign or unassign the driver of a route',
      description:
        'If the route is posted on the board, assigning a driver removes it from the board. Unassigning a driver reserves the route for the next driver in the queue who may claim it. If the times of the route are known, the driver cannot take another route or an instant order at these times. Contractors may assign only drivers of their fleets.',
      rest: { method: 'put', path: '/v1/routes/:route_id/driver' },
      awaits: ['routes', 'board', 'driver_times'],
      reads: ['board', 'fleets', 'routes'],
      answers: {
        ...NOT_FOUND,
        409: '`ROUTE_CLOSED`: the route is closed. `TIME_TAKEN`: the driver is busy at these times; `what` names the reason.',
        422: '`UNKNOWN_DRIVER`: the user is not a driver of the business.',
      },
      input: z.object({ route_id: idSchema, driver_id: idSchema.nullable().describe('Null: unassigns the driver.') }),
      output: done,
      async run({ route_id, driver_id }, context) {
        await checkDriver(context.caller, driver_id);
        const row = await board.byId(route_id, { business: businessOf(context.caller) });
        // If the driver is unassigned, the next eligible driver in the queue of the board is promoted.
        const eligible = row && driver_id === null ? await promotable(row) : new Set<number>();
        const command = { do: 'assign_driver', driverId: driver_id ?? undefined, now: context.time, eligible } as const;
        await assign(route_id, driver_id, context, () => sendToRoute(route_id, command, context));
        return { result: true };
      },
    }),

    operation({
      ...WRITE,
      name: 'routeClose',
      versioned: ROUTE_VERSION,
      returns: { read: 'route' },
      summary: 'Close a route',
      description:
        'No more orders can be added to a closed route. If the route has no orders, the driver is free again at the times of the route.',
      rest: { method: 'post', path: '/v1/routes/:route_id/close' },
      awaits: ['routes', 'board', 'driver_times'],
      reads: ['board', 'orders'],
      answers: NOT_FOUND,
      input: z.object({ route_id: idSchema }),
      output: done,
      async run({ route_id }, context) {
        context.wrote(await sendToRoute(route_id, { do: 'close' }, context));
        await releaseIfEmpty(route_id, context);
        return { result: true };
      },
    }),
  ];
}
