/**
 * Claims of routes, which involve two streams. The time of the driver is reserved first; then the claim is written to
 * the route. If the route refuses it, the time is released. After a crash, the repair of reservations releases it.
 */
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handled } from '../../../commands/core/handle.js';
import type { Commands } from '../../../commands/commands.js';
import type { DriverCommand } from '../../../commands/drivers/decider.js';
import { routeOf } from '../../../commands/drivers/time.js';
import type { RouteCommand, RouteReply } from '../../../commands/routes/decider.js';
import { driverStream } from '../../../events/drivers/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { routeStream } from '../../../events/routes/events.js';
import type { BoardRow } from '../../../projections/board/read-model.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import type { Judge } from './eligibility.js';

export interface BoardDeskOptions {
  readonly commands: Pick<Commands, 'routes' | 'drivers'>;
  readonly judge: Judge;
}

type Told = Pick<Context, 'cause' | 'commandId' | 'time' | 'wrote'>;

export type BoardDesk = ReturnType<typeof createBoardDesk>;

export function createBoardDesk({ commands, judge }: BoardDeskOptions) {
  const toRoute = (row: BoardRow, { commandId, cause }: Told, command: object): Promise<Handled<RouteReply>> =>
    commands.routes(
      routeStream(row.id),
      { commandId, routeId: row.id, business: row.business, ...command } as RouteCommand,
      cause,
    );
  const toDriver = (row: BoardRow, driverId: number, { commandId, cause }: Told, command: object) =>
    commands.drivers(
      driverStream(driverId),
      { commandId, userId: driverId, business: row.business, ...command } as DriverCommand,
      cause,
    );
  const release = (row: BoardRow, driverId: number, told: Told, why: string) => {
    const commandId = derivedId(told.commandId, 'release', why);
    return toDriver(row, driverId, { ...told, commandId }, { do: 'release', what: routeOf(row.id), why });
  };

  /** The drivers in the queue who may get the route now. */
  async function promotable(row: BoardRow): Promise<ReadonlySet<number>> {
    const found = await judge(row, row.queue);
    return new Set([...found].filter(([, hindrance]) => hindrance === undefined).map(([id]) => id));
  }

  return {
    promotable,
    /** Claims or confirms a route. Throws NOT_CLAIMABLE, TIME_TAKEN, ROUTE_CLAIMED and STANDBY_HOLD_OVER. */
    async take(what: 'claim' | 'confirm', row: BoardRow, driverId: number, told: Told): Promise<void> {
      const { posting } = row;
      if (!posting) throw new ApiError('ROUTE_NOT_FOUND');
      const hindrance = (await judge(row, [driverId])).get(driverId);
      if (hindrance === 'TIME_TAKEN') throw timeTaken(await judge.boundTo(row, driverId));
      if (hindrance) throw notClaimable(hindrance);
      const { start_at: from, end_at: to } = posting;
      const reservation = { what: routeOf(row.id), from, to, units: 1, date: row.date };
      const most = await judge.capOf(row, driverId);
      const reserved = await toDriver(row, driverId, told, { do: 'reserve', reservation, most }).catch(refused);
      told.wrote(reserved.position);
      try {
        told.wrote((await toRoute(row, told, { do: what, driverId, now: told.time, by: driverId })).position);
      } catch (error) {
        // A retry of a successful claim finds its own reservation unchanged and must not release it.
        if (error instanceof DomainError && reserved.changed)
          told.wrote((await release(row, driverId, told, 'not_claimed')).position);
        throw answerOf(error);
      }
    },
    /** Returns the place in the queue; null if the route is already held for the driver. */
    async standby(row: BoardRow, driverId: number, told: Told): Promise<number | null> {
      const command = { do: 'standby', driverId, now: told.time, by: driverId };
      const { position, reply } = await toRoute(row, told, command).catch(refused);
      told.wrote(position);
      return reply!.place;
    },
    /** Takes the route from a holder who is no longer eligible. */
    async lose(row: BoardRow, driverId: number, why: string, told: Told): Promise<void> {
      const eligible = await promotable(row);
      const lost = await toRoute(row, told, { do: 'lose', driverId, why, now: told.time, eligible });
      told.wrote(lost.position);
      if (lost.changed) told.wrote((await release(row, driverId, told, 'lost')).position);
    },
    async withdraw(row: BoardRow, driverId: number, reason: string | undefined, told: Told): Promise<void> {
      const eligible = await promotable(row);
      const withdrawn = await toRoute(row, told, { do: 'withdraw', driverId, reason, now: told.time, eligible });
      told.wrote(withdrawn.position);
      told.wrote((await release(row, driverId, told, 'withdrawn')).position);
    },
  };
}

export const notClaimable = (why: string): ApiError =>
  new ApiError('NOT_CLAIMABLE', { params: { why }, members: { why_not: why } });

/** `what`: the conflicting reservation of the driver, `route:<id>` or `instant:<order id>`. Fleets R2. */
export const timeTaken = (what: string): ApiError =>
  new ApiError('TIME_TAKEN', { params: { what }, members: { what } });

function refused(error: unknown): never {
  throw answerOf(error);
}

/** Converts a domain error. The error for the loser of a race also states whether the queue is open. */
function answerOf(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  if (error.code === 'NOT_CLAIMABLE') return notClaimable(String(error.params['why']));
  if (error.code === 'TIME_TAKEN') return timeTaken(String(error.params['what']));
  if (error.code !== 'ROUTE_CLAIMED') return error;
  return new ApiError('ROUTE_CLAIMED', { members: { standby_open: error.params['standby_open'] === 1 } });
}
