/**
 * Releases reserved driver time that is no longer used. Causes:
 *
 * - A crash happened between the reservation and the claim.
 * - Another driver got the route.
 * - An instant order is delivered.
 *
 * The decision is based on the log, even if read models differ.
 */
import { startRepair } from '../../commands/core/repair.js';
import type { Commands } from '../../commands/commands.js';
import { pastOf, type Decider } from '../../commands/core/decider.js';
import { orders } from '../../commands/orders/decider.js';
import { instants } from '../../commands/riders/decider.js';
import { openOffers } from '../../commands/riders/state.js';
import { routes } from '../../commands/routes/decider.js';
import { decode } from '../../events/core/codec.js';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { driverStream } from '../../events/drivers/events.js';
import { orderStream } from '../../events/orders/events.js';
import { isFinal } from '../../events/orders/status.js';
import { instantStream } from '../../events/riders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { routeStream } from '../../events/routes/events.js';
import type { DriverTimeQueries } from '../../projections/drivers/time-queries.js';
import type { Parts } from '../../api/core/parts.js';

const BATCH_SIZE = 100;

/** Starts the policy. Returns a function that stops it. */
export function startDriverPolicy({
  times,
  commands,
  log,
  types,
  now,
  limits,
  logger,
}: Parts<'log' | 'types' | 'now' | 'logger'> & {
  times: DriverTimeQueries;
  commands: Pick<Commands, 'drivers'>;
  limits: TimeLimits;
}): () => Promise<void> {
  async function stateOf<S>(
    { initial, evolve }: Pick<Decider<S, never, unknown>, 'initial' | 'evolve'>,
    stream: string,
  ) {
    let state = initial();
    for await (const event of log.read(stream)) state = evolve(state, pastOf(event, decode(event, types)));
    return state;
  }

  /** Whether the driver still has the route or order for which the time was reserved. */
  async function isNeeded(what: string, driverId: number): Promise<boolean> {
    const id = Number(what.slice(what.indexOf(':') + 1));
    if (what.startsWith('route:')) {
      const route = await stateOf(routes, routeStream(id));
      if (route.driverId !== driverId || route.board.finished) return false;
      // A closed route accepts no more orders: if it is empty, it stays empty.
      return route.status === 'open' || !(await times.isEmpty(id));
    }
    const { status, winner, ...instant } = await stateOf(instants, instantStream(id));
    if (openOffers({ status, winner, ...instant }).some(({ riderId }) => riderId === driverId)) return true;
    if (winner?.riderId !== driverId) return false;
    if (status === 'accepted') return true;
    const order = await stateOf(orders, orderStream(id));
    return order.route === winner.routeId && !isFinal(order.status);
  }

  const repair = startRepair({
    now,
    limits,
    // Longer than any request, so a request that claims the time has finished before.
    minAgeMs: limits.reservedAfterMs,
    async unfinished(millis) {
      const reservedBefore = new Date(millis).toISOString();
      return [
        ...(await times.unclaimed(reservedBefore, BATCH_SIZE)),
        ...(await times.unridden(reservedBefore, BATCH_SIZE)),
      ];
    },
    async finish(id) {
      const reservation = await times.byId(id);
      if (!reservation?.active || (await isNeeded(reservation.what, reservation.driver_id))) return;
      const { driver_id: userId, business, what, revision } = reservation;
      const commandId = derivedId('driver_policy', id, revision);
      await commands.drivers(
        driverStream(userId),
        { do: 'release', commandId, userId, business, what, why: what.startsWith('route:') ? 'not_claimed' : 'over' },
        {
          correlationId: commandId,
          actor: { kind: 'system', id: 'driver_policy' },
          channel: 'system',
          business: String(business),
        },
      );
    },
    onError: (error, id) => logger.error({ err: error, reservation: id }, "a driver's time is not released yet"),
  });
  return () => repair.stop();
}
