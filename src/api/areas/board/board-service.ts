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
import type { EligibilityCheck } from './eligibility.js';

export interface BoardServiceOptions {
  readonly commands: Pick<Commands, 'routes' | 'drivers'>;
  readonly checkEligibility: EligibilityCheck;
}

type CommandContext = Pick<Context, 'cause' | 'commandId' | 'time' | 'wrote'>;

export type BoardService = ReturnType<typeof createBoardService>;

export function createBoardService({ commands, checkEligibility }: BoardServiceOptions) {
  const sendToRoute = (
    row: BoardRow,
    { commandId, cause }: CommandContext,
    command: object,
  ): Promise<Handled<RouteReply>> =>
    commands.routes(
      routeStream(row.id),
      { commandId, routeId: row.id, business: row.business, ...command } as RouteCommand,
      cause,
    );
  const sendToDriver = (row: BoardRow, driverId: number, { commandId, cause }: CommandContext, command: object) =>
    commands.drivers(
      driverStream(driverId),
      { commandId, userId: driverId, business: row.business, ...command } as DriverCommand,
      cause,
    );
  const release = (row: BoardRow, driverId: number, context: CommandContext, reason: string) => {
    const commandId = derivedId(context.commandId, 'release', reason);
    return sendToDriver(
      row,
      driverId,
      { ...context, commandId },
      { do: 'release', what: routeOf(row.id), why: reason },
    );
  };

  /** The drivers in the queue who may get the route now. */
  async function promotable(row: BoardRow): Promise<ReadonlySet<number>> {
    const found = await checkEligibility(row, row.queue);
    return new Set([...found].filter(([, reason]) => reason === undefined).map(([id]) => id));
  }

  return {
    promotable,
    /** Claims or confirms a route. Throws NOT_CLAIMABLE, TIME_TAKEN, ROUTE_CLAIMED and STANDBY_HOLD_OVER. */
    async take(action: 'claim' | 'confirm', row: BoardRow, driverId: number, context: CommandContext): Promise<void> {
      const { posting } = row;
      if (!posting) throw new ApiError('ROUTE_NOT_FOUND');
      const reason = (await checkEligibility(row, [driverId])).get(driverId);
      if (reason === 'TIME_TAKEN') throw timeTakenError(await checkEligibility.conflictingRouteOf(row, driverId));
      if (reason) throw notClaimableError(reason);
      const { start_at: from, end_at: to } = posting;
      const reservation = { what: routeOf(row.id), from, to, units: 1, date: row.date };
      const maxClaims = await checkEligibility.claimLimitOf(row, driverId);
      const reserved = await sendToDriver(row, driverId, context, {
        do: 'reserve',
        reservation,
        most: maxClaims,
      }).catch(throwBoardError);
      context.wrote(reserved.position);
      try {
        context.wrote(
          (await sendToRoute(row, context, { do: action, driverId, now: context.time, by: driverId })).position,
        );
      } catch (error) {
        // A retry of a successful claim finds its own reservation unchanged and must not release it.
        if (error instanceof DomainError && reserved.changed)
          context.wrote((await release(row, driverId, context, 'not_claimed')).position);
        throw toBoardError(error);
      }
    },
    /** Returns the place in the queue; null if the route is already held for the driver. */
    async standby(row: BoardRow, driverId: number, context: CommandContext): Promise<number | null> {
      const command = { do: 'standby', driverId, now: context.time, by: driverId };
      const { position, reply } = await sendToRoute(row, context, command).catch(throwBoardError);
      context.wrote(position);
      return reply!.place;
    },
    /** Takes the route from a holder who is no longer eligible. */
    async lose(row: BoardRow, driverId: number, reason: string, context: CommandContext): Promise<void> {
      const eligible = await promotable(row);
      const lost = await sendToRoute(row, context, { do: 'lose', driverId, why: reason, now: context.time, eligible });
      context.wrote(lost.position);
      if (lost.changed) context.wrote((await release(row, driverId, context, 'lost')).position);
    },
    async withdraw(
      row: BoardRow,
      driverId: number,
      reason: string | undefined,
      context: CommandContext,
    ): Promise<void> {
      const eligible = await promotable(row);
      const withdrawn = await sendToRoute(row, context, {
        do: 'withdraw',
        driverId,
        reason,
        now: context.time,
        eligible,
      });
      context.wrote(withdrawn.position);
      context.wrote((await release(row, driverId, context, 'withdrawn')).position);
    },
  };
}

export const notClaimableError = (reason: string): ApiError =>
  new ApiError('NOT_CLAIMABLE', { params: { why: reason }, members: { why_not: reason } });

/** `what`: the conflicting reservation of the driver, `route:<id>` or `instant:<order id>`. Fleets R2. */
export const timeTakenError = (what: string): ApiError =>
  new ApiError('TIME_TAKEN', { params: { what }, members: { what } });

function throwBoardError(error: unknown): never {
  throw toBoardError(error);
}

/** Converts a domain error. The error for the loser of a race also states whether the queue is open. */
function toBoardError(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  if (error.code === 'NOT_CLAIMABLE') return notClaimableError(String(error.params['why']));
  if (error.code === 'TIME_TAKEN') return timeTakenError(String(error.params['what']));
  if (error.code !== 'ROUTE_CLAIMED') return error;
  return new ApiError('ROUTE_CLAIMED', { members: { standby_open: error.params['standby_open'] === 1 } });
}
