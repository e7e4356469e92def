/** The duty of a rider: permission for instant delivery, online and offline. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { DriverCommand } from '../../../commands/drivers/decider.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import type { Positions } from '../../../engines/postgres/positions.js';
import { driverStream } from '../../../events/drivers/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { routeStream } from '../../../events/routes/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { RiderQueries } from '../../../projections/riders/queries.js';
import type { RiderRow } from '../../../projections/riders/riders.js';
import { ROUTE_IDS } from '../../../projections/routes/read-model.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { localDate } from '../../../events/core/local-time.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { hasDriver } from '../drivers/workers.js';
import type { RiderService } from './rider-service.js';
import { ONLINE_INTERVAL_S } from './locations.js';
import { grantSchema, riderSchema, toGrant } from './rider-shapes.js';

export interface DutyOptions extends Parts<'routes' | 'boards'> {
  readonly commands: Pick<Commands, 'drivers' | 'routes'>;
  readonly service: RiderService;
  readonly queries: RiderQueries;
  readonly accounts: Pick<AccountQueries, 'holder'>;
  readonly positions: Positions;
  /** Whether a document that the business requires is missing on the day. */
  readonly lacksDocuments: (business: number, driverId: number, date: string) => Promise<boolean>;
}

const RIDER = { area: 'InstantRider', callers: ['driver'], scopes: ['drivers:write'], writes: true } as const;
const NOT_GRANTED = { 403: '`INSTANT_NOT_GRANTED`: instant delivery is not enabled for the driver.' };

/** Throws INSTANT_NOT_GRANTED. */
export async function riderOf(queries: Pick<RiderQueries, 'byId'>, caller: Caller): Promise<RiderRow> {
  const row = await queries.byId(userOf(caller).userId);
  if (!row?.instant) throw new ApiError('INSTANT_NOT_GRANTED');
  return row;
}

export function dutyOperations(options: DutyOptions): Operation[] {
  const { commands, service, queries, routes, boards, accounts, positions, lacksDocuments } = options;
  const toDriver = async (driverId: number, command: object, { caller, commandId, cause, wrote }: Context) => {
    const commandFields = { commandId, userId: driverId, business: businessOf(caller), by: userOf(caller).userId };
    const { position } = await commands.drivers(
      driverStream(driverId),
      { ...commandFields, ...command } as DriverCommand,
      cause,
    );
    wrote(position);
  };
  const toRoute = async (routeId: number, command: object, { caller, commandId, cause, wrote, time }: Context) => {
    const { userId: by } = userOf(caller);
    const fullCommand = { commandId, routeId, business: businessOf(caller), by, now: time, ...command } as RouteCommand;
    wrote((await commands.routes(routeStream(routeId), fullCommand, cause)).position);
  };

  /** Starts the route. Creating it used the command id, so this command has a derived one. */
  const start = (routeId: number, driverId: number, context: Context) =>
    toRoute(routeId, { do: 'start', driverId, commandId: derivedId(context.commandId, 'start') }, context);

  /** Returns the rider's running route of today, or creates one. */
  async function runningRoute({ route_id, date }: RiderRow, today: string, context: Context): Promise<number> {
    const business = businessOf(context.caller);
    if (route_id !== null && date === today) {
      const [route, [boardRow]] = await Promise.all([
        routes.byId(route_id, { business, driverId: userOf(context.caller).userId }),
        boards.byIds([route_id]),
      ]);
      if (route?.status === 'open' && boardRow?.finished_at === null) {
        if (boardRow.started_at === null) await start(route_id, userOf(context.caller).userId, context);
        return route_id;
      }
    }
    const [newRouteId] = await context.reserveIds(ROUTE_IDS, 1);
    const driverId = userOf(context.caller).userId;
    await toRoute(
      newRouteId!,
      { do: 'create', kind: 'instant', name: 'Instant', schedule_date: today, driverId },
      context,
    );
    await start(newRouteId!, driverId, context);
    return newRouteId!;
  }

  /** Declines the rider's open offers, and finishes the route if it has no open orders. */
  async function endDuty(rider: RiderRow, context: Context): Promise<void> {
    for (const offer of await queries.openOffers(rider.id)) await service.decline(offer, context);
    if ((await queries.unitsOf(rider.id)) > 0 || rider.route_id === null) return;
    await toRoute(rider.route_id, { do: 'finish' }, context).catch((error: unknown) => {
      // The route is already finished, or was never started.
      if (!(error instanceof DomainError)) throw error;
    });
    if (!context.cause.dryRun) await positions.forget([rider.id]);
  }

  return [
    operation({
      name: 'riderGrantSet',
      area: 'InstantRider',
      summary: 'Enable or disable instant delivery for a driver',
      description:
        'When instant delivery is disabled, the rider goes offline and the open offers are declined. Accepted orders stay with the rider.',
      rest: { method: 'put', path: '/v1/drivers/:driver_id/rider-grant' },
      callers: ['client_admin', 'employee'],
      scopes: ['drivers:write'],
      writes: true,
      risk: 'medium',
      reads: ['riders', 'rider_offers'],
      awaits: ['riders', 'instants', 'rider_offers', 'driver_times', 'board'],
      answers: { 404: 'There is no such driver.' },
      input: z.object({
        driver_id: idSchema,
        enabled: z.boolean(),
        max_concurrent: z.int().min(1).max(5).default(1).describe('Maximum number of instant orders at the same time.'),
        radius_m: z
          .int()
          .min(100)
          .max(100_000)
          .optional()
          .describe('Maximum distance to a pickup, in metres. Default: the radius of the request.'),
      }),
      output: z.object({ result: z.boolean(), rider_grant: grantSchema }),
      async run({ driver_id, enabled: granted, max_concurrent, radius_m }, context) {
        if (!(await hasDriver(accounts, businessOf(context.caller), driver_id))) throw new ApiError('DRIVER_NOT_FOUND');
        const rider = await queries.byId(driver_id);
        const grant = { max_concurrent, ...(radius_m !== undefined && { radius_m }) };
        await toDriver(driver_id, granted ? { do: 'grant', grant } : { do: 'revoke', now: context.time }, context);
        if (!granted && rider) await endDuty(rider, context);
        return { result: true, rider_grant: toGrant(driver_id, granted ? grant : null) };
      },
    }),
    operation({
      name: 'rider',
      area: 'InstantRider',
      summary: 'Get the rider status of the calling driver',
      description: 'Returns the online status, the route, the number of accepted orders and the number of open offers.',
      rest: { method: 'get', path: '/v1/instant-rider' },
      callers: ['driver'],
      scopes: ['drivers:read'],
      reads: ['riders', 'driver_times', 'rider_offers'],
      answers: NOT_GRANTED,
      input: z.object({}),
      output: z.object({ result: z.boolean(), rider: riderSchema, server_time: z.string() }),
      async run(_input, { caller, time }) {
        const found = await riderOf(queries, caller);
        const [orders, offers, position] = await Promise.all([
          queries.unitsOf(found.id),
          queries.openOffers(found.id),
          positions.last(found.id),
        ]);
        const rider = {
          driver_id: found.id,
          online: found.online,
          changed_at: found.since,
          grant: toGrant(found.id, found.instant),
          route_id: found.online ? found.route_id : null,
          order_count: orders,
          offer_count: offers.length,
          position_at: position?.at.toISOString() ?? null,
        };
        return { result: true, rider, server_time: new Date(time).toISOString() };
      },
    }),
    operation({
      ...RIDER,
      name: 'riderOnline',
      returns: { read: 'rider' },
      summary: 'Go online for instant orders',
      description:
        'Starts a route for the instant orders of today, or continues the open route of today. Next, report a position with `riderLocations` every `next_after_s` seconds. Riders without a reported position get no offers.',
      rest: { method: 'post', path: '/v1/instant-rider/online' },
      risk: 'medium',
      reads: ['riders', 'routes', 'board', 'planning', 'driver_documents'],
      awaits: ['riders', 'routes', 'board'],
      answers: { ...NOT_GRANTED, 409: '`DOCUMENTS_MISSING`: a required document is missing or has expired.' },
      input: z.object({}),
      output: z.object({ result: z.boolean(), next_after_s: z.int() }),
      async run(_input, context) {
        const rider = await riderOf(queries, context.caller);
        const date = localDate(context.time, userOf(context.caller).timezone);
        if (await lacksDocuments(rider.business, rider.id, date)) throw new ApiError('DOCUMENTS_MISSING');
        const routeId = await runningRoute(rider, date, context);
        await toDriver(rider.id, { do: 'goOnline', routeId, date, now: context.time }, context);
        return { result: true, next_after_s: ONLINE_INTERVAL_S };
      },
    }),
    operation({
      ...RIDER,
      name: 'riderOffline',
      returns: { read: 'rider' },
      summary: 'Go offline for instant orders',
      description:
        'Declines the open offers of the rider. The rider must still deliver accepted orders. If there are no accepted orders, the service finishes the route.',
      rest: { method: 'post', path: '/v1/instant-rider/offline' },
      risk: 'medium',
      reads: ['riders', 'rider_offers', 'driver_times'],
      awaits: ['riders', 'instants', 'rider_offers', 'driver_times', 'board'],
      answers: NOT_GRANTED,
      input: z.object({}),
      output: z.object({ result: z.boolean() }),
      async run(_input, context) {
        const rider = await riderOf(queries, context.caller);
        await toDriver(rider.id, { do: 'goOffline', now: context.time }, context);
        await endDuty(rider, context);
        return { result: true };
      },
    }),
  ];
}
