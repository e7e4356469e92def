/**
 * Reserves drivers' time for planned routes before the routes are created. If two plans, or a plan and a claim, need
 * the same hours at the same time, only one of them succeeds.
 */
import type { Commands } from '../../../commands/commands.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Cause } from '../../../commands/core/handle.js';
import type { DriverCommand } from '../../../commands/drivers/decider.js';
import { reserveAssigned, routeOf, type Span } from '../../../commands/drivers/time.js';
import { driverStream } from '../../../events/drivers/events.js';
import type { BoardQueries } from '../../../projections/board/queries.js';
import type { RouteQueries } from '../../../projections/routes/queries.js';

/** A route of a driver, with the command that plans it. `span`: epoch milliseconds. */
export interface RouteReservation {
  readonly commandId: string;
  readonly routeId: number;
  readonly driverId: number;
  readonly business: number;
  readonly by: number;
  readonly date: string;
  readonly span: Span;
}

export interface TimeReservationsOptions {
  readonly commands: Pick<Commands, 'drivers'>;
  readonly board: Pick<BoardQueries, 'byId'>;
  readonly routes: Pick<RouteQueries, 'byId'>;
}

export type TimeReservations = ReturnType<typeof createTimeReservations>;

export function createTimeReservations({ commands, board, routes }: TimeReservationsOptions) {
  const send = ({ driverId: userId, business, by, commandId }: RouteReservation, command: object, cause: Cause) =>
    commands.drivers(driverStream(userId), { commandId, userId, business, by, ...command } as DriverCommand, cause);

  /** Returns false if the driver is busy at that time. */
  async function reserve(route: RouteReservation, cause: Cause): Promise<boolean> {
    try {
      await send(route, reserveAssigned(route.routeId, route.span, route.date), cause);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'TIME_TAKEN') return false;
      throw error;
    }
  }

  return {
    reserve,
    async release(route: RouteReservation, reason: string, cause: Cause): Promise<void> {
      await send(route, { do: 'release', what: routeOf(route.routeId), why: reason }, cause);
    },
    /**
     * Moves the reserved time of a replanned route. Posted routes keep the posted time, and instant orders of riders
     * reserve time separately. If the driver is busy at the new time, the old reservation stays: the planner's decision
     * counts.
     */
    async move(reservation: RouteReservation, cause: Cause): Promise<void> {
      const { routeId, business } = reservation;
      const [route, row] = await Promise.all([routes.byId(routeId, { business }), board.byId(routeId, { business })]);
      if (route?.kind !== 'instant' && !row?.posting) await reserve(reservation, cause);
    },
  };
}
