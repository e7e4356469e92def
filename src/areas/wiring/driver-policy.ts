/**
 * Releases drivers' time that nothing stands behind any more: a crash came between the reservation and the claim, or
 * the route went to somebody else. The log has the last word, whatever read models say.
 */
import type { Logger } from 'pino';
import { startRepair } from '../../commands/core/repair.js';
import type { Commands } from '../../commands/commands.js';
import { routes } from '../../commands/routes/decider.js';
import { decode, type EventTypes } from '../../events/core/codec.js';
import type { EventLog } from '../../events/core/log.js';
import { driverStream } from '../../events/drivers/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { routeStream } from '../../events/routes/events.js';
import type { DriverTimeQueries } from '../../projections/drivers/time-queries.js';

/** Longer than any request: what is claimed at all is claimed by then. */
const PATIENCE_MS = 20_000;
const AT_ONCE = 100;

export interface DriverPolicyOptions {
  readonly times: DriverTimeQueries;
  readonly commands: Pick<Commands, 'drivers'>;
  readonly log: EventLog;
  readonly types: EventTypes;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Returns how to stop it. */
export function startDriverPolicy({
  times,
  commands,
  log,
  types,
  now,
  logger,
}: DriverPolicyOptions): () => Promise<void> {
  /** Whether the driver still has what the time was reserved for. */
  async function stands(what: string, driverId: number): Promise<boolean> {
    const route = routes.initial();
    for await (const event of log.read(routeStream(Number(what.slice(what.indexOf(':') + 1)))))
      routes.evolve(route, { type: event.type, id: event.id, data: decode(event, types) });
    return route.driverId === driverId && !route.board.finished;
  }

  const repair = startRepair({
    now,
    patience: PATIENCE_MS,
    unfinished: (millis) => times.unclaimed(new Date(millis).toISOString(), AT_ONCE),
    async finish(id) {
      const time = await times.byId(id);
      if (!time?.active || (await stands(time.what, time.driver_id))) return;
      const { driver_id: userId, business, what, revision } = time;
      const commandId = derivedId('driver_policy', id, revision);
      await commands.drivers(
        driverStream(userId),
        { do: 'release', commandId, userId, business, what, why: 'not_claimed' },
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
