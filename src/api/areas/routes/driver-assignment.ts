/**
 * Assigns drivers to routes. If the times of the route are known, the service reserves the driver's time first, as for
 * a claim, and then writes to the route. If the route rejects the write, the time is released. The repair of
 * reservations finds time that a crash left reserved.
 */
import type { Commands } from '../../../commands/commands.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { DriverCommand } from '../../../commands/drivers/decider.js';
import { reserveAssigned, routeOf } from '../../../commands/drivers/time.js';
import type { Position } from '../../../events/core/log.js';
import { driverStream } from '../../../events/drivers/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { timesOf, type BoardQueries } from '../../../projections/board/queries.js';
import type { RouteQueries } from '../../../projections/routes/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { timeTakenError } from '../board/board-service.js';
import { hasDriver } from '../drivers/workers.js';
import { addableDrivers } from '../fleets/permissions.js';
import { routeViewer } from './route-commands.js';

export interface DriverAssignmentOptions extends Parts<'fleets'> {
  readonly commands: Pick<Commands, 'drivers'>;
  readonly accounts: Pick<AccountQueries, 'holder'>;
  readonly board: Pick<BoardQueries, 'byId' | 'others' | 'loads'>;
  readonly routes: Pick<RouteQueries, 'byId'>;
}

export function createDriverAssignment({ commands, accounts, fleets, board, routes }: DriverAssignmentOptions) {
  /**
   * Throws UNKNOWN_DRIVER for a user who is not a driver of the business. For contractors, only drivers of their fleets
   * exist. Fleets R11.
   */
  async function checkDriver(caller: Caller, driverId: number | null | undefined): Promise<void> {
    if (driverId === null || driverId === undefined) return;
    const fleetDrivers = userOf(caller).role === 'broker' ? await addableDrivers(fleets, caller) : undefined;
    if (!(fleetDrivers?.has(driverId) ?? true) || !(await hasDriver(accounts, businessOf(caller), driverId)))
      throw fieldError('UNKNOWN_DRIVER', 'driver_id');
  }

  const toDriver = (userId: number, command: object, { caller, cause }: Context) =>
    commands.drivers(
      driverStream(userId),
      { userId, business: businessOf(caller), by: userOf(caller).userId, ...command } as DriverCommand,
      cause,
    );
  async function release(routeId: number, userId: number, why: string, context: Context): Promise<void> {
    const commandId = derivedId(context.commandId, 'release', why);
    const command = { commandId, do: 'release', what: routeOf(routeId), why };
    context.wrote((await toDriver(userId, command, context)).position);
  }

  /**
   * Runs `write`, which assigns the route to the driver or unassigns it. Throws TIME_TAKEN if the driver is busy at
   * these times; contractors do not see the reason. Fleets R2.
   */
  async function assign(
    routeId: number,
    driverId: number | null,
    context: Context,
    write: () => Promise<Position | undefined>,
  ): Promise<void> {
    const { caller, wrote, commandId } = context;
    const business = businessOf(caller);
    const [route, row] = await Promise.all([
      routes.byId(routeId, routeViewer(caller)),
      board.byId(routeId, { business }),
    ]);
    const times = route && row && timesOf(row, route);
    const reserved = times && driverId !== null && row.driver_id !== driverId ? await reserve(driverId) : undefined;
    try {
      wrote(await write());
    } catch (error) {
      if (error instanceof DomainError && reserved?.changed) await release(routeId, driverId!, 'not_given', context);
      throw error;
    }
    if (route && row?.driver_id != null && row.driver_id !== driverId)
      await release(routeId, row.driver_id, 'reassigned', context);

    async function reserve(userId: number) {
      const { from, to } = times!;
      const takenError = (what: string) => timeTakenError(userOf(caller).role === 'broker' ? 'route' : what);
      const overlapping = (await board.others([userId], row!.date)).find(
        (one) => one.id !== routeId && one.from < to && from < one.to,
      );
      if (overlapping) throw takenError(routeOf(overlapping.id));
      try {
        const done = await toDriver(
          userId,
          { commandId, ...reserveAssigned(routeId, { from, to }, row!.date) },
          context,
        );
        wrote(done.position);
        return done;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'TIME_TAKEN') throw takenError(String(error.params['what']));
        throw error;
      }
    }
  }

  /** Releases the driver's time if the closed route has no orders, because an empty route is not driven. */
  async function releaseIfEmpty(routeId: number, context: Context): Promise<void> {
    const row = await board.byId(routeId, { business: businessOf(context.caller) });
    if (row?.driver_id == null || (await board.loads([routeId])).has(routeId)) return;
    await release(routeId, row.driver_id, 'closed', context);
  }

  return { checkDriver, assign, releaseIfEmpty };
}
