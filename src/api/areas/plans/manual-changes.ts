/** Changes that users make to the stops of a route: their sequence, and pins that plans must respect. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { derivedId } from '../../../events/otep/identity.js';
import { PINS, routeStream, type Pin, type PlannedStop } from '../../../events/routes/events.js';
import type { Plan } from '../../../solvers/routes/plan.js';
import type { Stop } from '../../../solvers/routes/problem.js';
import { userOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { routeViewer } from '../routes/route-commands.js';
import type { MatrixSource } from './matrix-source.js';
import type { Gather } from './gather.js';
import type { TimeReservations } from './time-reservations.js';
import { lenientPlan } from './lenient-plan.js';
import { INPUT_READ_MODELS, plannerOf } from './plan-service.js';
import { problemOf, type PlanProblem } from './problem.js';
import { routesOf } from './record.js';
import { planRequest } from './request.js';
import { ROUTE_VERSION } from '../routes/shapes.js';

export interface ManualChangeOptions extends Parts<'routes' | 'orders'> {
  readonly commands: Pick<Commands, 'routes'>;
  readonly gather: Gather;
  readonly matrixSource: MatrixSource;
  readonly reservations: TimeReservations;
}

/** Maximum number of stops per route. */
const MAX_STOPS = 1_000;
const WRITE = {
  area: 'Routes',
  callers: ['client_admin', 'employee', 'broker'],
  scopes: ['routes:write'],
  writes: true,
  risk: 'medium',
  reads: INPUT_READ_MODELS,
  awaits: ['routes', 'board'],
} as const;
const KINDS = ['pickup', 'delivery'] as const;

export function manualChangeOperations({
  routes,
  orders,
  commands,
  gather,
  matrixSource,
  reservations,
}: ManualChangeOptions): Operation[] {
  async function routeOf(id: number, caller: Caller) {
    const route = await routes.byId(id, routeViewer(caller));
    if (!route) throw new ApiError('ROUTE_NOT_FOUND');
    return route;
  }
  const commandFields = ({ caller, commandId }: Pick<Context, 'caller' | 'commandId'>, routeId: number) => {
    const { business, brokerId } = plannerOf(caller);
    return { commandId, routeId, business, by: userOf(caller).userId, ...(brokerId !== undefined && { brokerId }) };
  };

  return [
    operation({
      ...WRITE,
      name: 'routeSequenceSet',
      versioned: ROUTE_VERSION,
      returns: { read: 'route' },
      summary: 'Set the sequence of the stops of a route',
      description:
        'The service computes the times from the sequence. Announced windows (`eta_from`, `eta_to`) do not change. Stops that are too late keep their position, and `late` lists them. Stops that the request omits follow in their current order.',
      rest: { method: 'put', path: '/v1/routes/:route_id/sequence' },
      answers: {
        404: 'There is no such route, or the caller cannot see it.',
        409: 'The route is closed or finished, or it was planned or reassigned in the meantime. Or an order is finished, or is not on the route.',
        422: 'The route has no driver, or a position is unknown.',
      },
      input: z.object({
        route_id: idSchema,
        stops: z
          .array(
            z
              .strictObject({
                order_id: idSchema,
                kind: z.enum(KINDS).optional().describe('Required if the order has both stops.'),
              })
              .meta({ id: 'RouteStopInput' }),
          )
          .min(1)
          .max(MAX_STOPS),
      }),
      output: z.object({
        result: z.boolean(),
        late: z
          .array(z.object({ order_id: z.int(), kind: z.enum(KINDS), late_s: z.int() }).meta({ id: 'LateStop' }))
          .describe('Stops that begin after the end of their last time window, with the delay in seconds.'),
      }),
      async run({ route_id, stops }, context) {
        const { caller, cause } = context;
        const route = await routeOf(route_id, caller);
        const date = route.schedule_date;
        // Plans like an insertion without new orders: all orders of the route stay.
        const request = { ...planRequest.parse({ mode: 'insert', route_ids: [route_id] }), date, order_ids: [] };
        const { input, excluded } = await gather(request, plannerOf(caller));
        const { problem, matrix } = await matrixSource.measure(
          problemOf(input),
          input.settings.matrix_fallback ?? false,
        );
        const unlocated = stops.find(({ order_id }) => excluded.some((one) => one.order_id === order_id));
        if (unlocated) throw fieldError('NOT_GEOCODED', 'stops');
        const planned = lenientPlan(problem.problem, matrix, [{ resource: 0, stops: sequenceOf(problem, stops) }]);
        if (!planned) throw new ApiError('UNREACHABLE');
        const [first] = routesOf(problem, planned);
        const { start, end, distance_m, done = [], stops: timed } = first!;
        const command = {
          ...commandFields(context, route_id),
          do: 'sequence' as const,
          seen: route.revision,
          planned: {
            start,
            end,
            distance_m,
            stops: [...done, ...keepAnnouncedWindows(timed, route.planned?.stops ?? [])],
          },
        };
        context.wrote((await commands.routes(routeStream(route_id), command, cause)).position);
        const { driver_id: driverId } = route;
        const reservation = {
          ...commandFields(context, route_id),
          date,
          span: { from: start * 1_000, to: end * 1_000 },
        };
        if (driverId !== null) await reservations.move({ ...reservation, driverId }, cause);
        return { result: true, late: lateStopsOf(problem, planned) };
      },
    }),

    operation({
      ...WRITE,
      name: 'routePinsUpdate',
      versioned: ROUTE_VERSION,
      returns: { read: 'route' },
      summary: 'Pin stops of a route to their driver or position',
      description: 'Route plans do not change pinned stops. Orders that the request omits keep their pins.',
      rest: { method: 'patch', path: '/v1/routes/:route_id/pins' },
      answers: {
        404: 'There is no such route, or the caller cannot see it.',
        409: 'The route is closed, or an order is not on it.',
      },
      input: z.object({
        route_id: idSchema,
        pins: z
          .array(
            z
              .strictObject({
                order_id: idSchema,
                pin: z
                  .enum(PINS)
                  .nullable()
                  .describe(
                    '`driver`: plans keep the driver of the stop. `position`: plans also keep the position of the stop among pinned stops. Null: removes the pin.',
                  ),
              })
              .meta({ id: 'RoutePinInput' }),
          )
          .min(1)
          .max(MAX_STOPS),
      }),
      output: z.object({
        result: z.boolean(),
        pins: z
          .array(z.object({ order_id: z.int(), pin: z.enum(PINS) }).meta({ id: 'RoutePin' }))
          .describe('All pins of the route after the change.'),
      }),
      async run({ route_id, pins }, context) {
        const { caller, commandId, cause } = context;
        const route = await routeOf(route_id, caller);
        const ids = [...new Set(pins.map(({ order_id }) => order_id))];
        if (ids.length < pins.length) throw invalidForm('pins', 'each order once');
        const viewer = { business: route.business, routeIds: [route_id] };
        const orderIdsOnRoute = new Set(
          (await orders.list({ ids, offset: 0, limit: MAX_STOPS }, viewer)).orders.map(({ id }) => id),
        );
        if (ids.some((id) => !orderIdsOnRoute.has(id))) throw fieldError('ORDER_NOT_ON_ROUTE', 'pins');
        const pinByOrder = new Map(Object.entries(route.pins).map(([id, pin]) => [Number(id), pin]));
        for (const pin of [...PINS, null]) {
          const orderIds = pins.filter((one) => one.pin === pin).map(({ order_id }) => order_id);
          if (orderIds.length === 0) continue;
          const command = { ...commandFields(context, route_id), do: 'pin' as const, orderIds, pin };
          const id = derivedId('pins', commandId, pin ?? 'none');
          context.wrote((await commands.routes(routeStream(route_id), { ...command, commandId: id }, cause)).position);
          for (const order of orderIds)
            if (pin) pinByOrder.set(order, pin);
            else pinByOrder.delete(order);
        }
        const pinsResponse = [...pinByOrder].map(([order_id, pin]: [number, Pin]) => ({ order_id, pin }));
        return { result: true, pins: pinsResponse.sort((one, other) => one.order_id - other.order_id) };
      },
    }),
  ];
}

/** Only a new plan changes announced windows (planning R10). */
function keepAnnouncedWindows(stops: readonly PlannedStop[], before: readonly PlannedStop[]): PlannedStop[] {
  return stops.map((stop) => {
    const { eta_from, eta_to } =
      before.find(({ order_id, kind }) => order_id === stop.order_id && kind === stop.kind && kind !== 2) ?? stop;
    return { ...stop, ...(eta_from !== undefined && { eta_from }), ...(eta_to !== undefined && { eta_to }) };
  });
}

/** The requested sequence, followed by the other stops of the route. */
function sequenceOf(
  { problem, orders, before }: PlanProblem,
  requestedStops: readonly { readonly order_id: number; readonly kind?: (typeof KINDS)[number] | undefined }[],
): readonly Stop[] {
  const key = ([order, kind]: Stop): string => `${order} ${kind}`;
  const requested = requestedStops.map(({ order_id, kind }): Stop => {
    const order = orders.indexOf(order_id);
    const known = problem.orders[order];
    if (!known) throw fieldError('ORDER_NOT_ON_ROUTE', 'stops');
    const stopKind = kind ?? (known.pickup && known.delivery ? undefined : known.pickup ? 'pickup' : 'delivery');
    if (!stopKind || !known[stopKind]) throw invalidForm('stops', 'the `kind` of the stop, which the order has');
    return [order, stopKind === 'pickup' ? 0 : 1];
  });
  const requestedKeys = new Set(requested.map(key));
  if (requestedKeys.size < requested.length) throw invalidForm('stops', 'each stop once');
  const all = [...requested, ...before.flatMap(({ stops }) => stops.filter((stop) => !requestedKeys.has(key(stop))))];
  const places = new Map(all.map((stop, index) => [key(stop), index]));
  for (const [order, kind] of all)
    if (kind === 1 && (places.get(key([order, 0])) ?? -1) > places.get(key([order, 1]))!)
      throw invalidForm('stops', 'the pickup of an order before its delivery');
  return all;
}

function lateStopsOf({ problem, orders }: PlanProblem, { routes }: Plan) {
  return routes[0]!.stops.flatMap(({ order, kind, start }) => {
    if (order === null || kind === 'break') return [];
    const late_s = start - problem.orders[order]![kind]!.windows.at(-1)![1];
    return late_s > 0 ? [{ order_id: orders[order]!, kind, late_s }] : [];
  });
}
