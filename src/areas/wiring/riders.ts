/** Connects riders to other areas: the end of offers and search rounds, and the repair after a crash. */
import { randomUUID } from 'node:crypto';
import { createRiderService, type RiderService } from '../../api/areas/riders/rider-service.js';
import { createPickupOf, type PickupOf } from '../../api/areas/riders/pickup.js';
import { createSearch, type Search, type WriteContext } from '../../api/areas/riders/search.js';
import { hasDriver } from '../../api/areas/drivers/workers.js';
import { ApiError } from '../../api/core/errors.js';
import type { Cause, Handle } from '../../commands/core/handle.js';
import { startRepair } from '../../commands/core/repair.js';
import { LAPSED } from '../../commands/drivers/duty.js';
import { instants as decider, type InstantCommand, type InstantReply } from '../../commands/riders/decider.js';
import type { Expiring } from '../../commands/timers/runner.js';
import type { Position } from '../../events/core/log.js';
import type { Expire } from '../../events/core/timers.js';
import { INSTANT_PREFIX, instantStream, ROUND_TIMER } from '../../events/riders/events.js';
import { createRiderQueries, type RiderQueries } from '../../projections/riders/queries.js';
import { accounts } from '../accounts.js';
import { datasets } from '../datasets.js';
import type { AreaContext } from '../area-context.js';
import { orders } from '../orders.js';
import { warehouses } from '../warehouses.js';

export interface RiderParts {
  readonly queries: RiderQueries;
  readonly instants: Handle<InstantCommand | Expire, InstantReply>;
  readonly pickupOf: PickupOf;
  readonly search: Search;
  readonly service: RiderService;
}

export function createRiderParts({ database, commands, handle, of }: AreaContext): RiderParts {
  const queries = createRiderQueries(database);
  const instants = handle(decider);
  const pickupOf = createPickupOf({ warehouses: of(warehouses).queries, geocode: of(datasets).geocode });
  const search = createSearch({
    commands,
    instants,
    queries,
    orders: of(orders).queries,
    pickupOf,
    isActive: (business, driverId) => hasDriver(of(accounts).queries, business, driverId),
  });
  return { queries, instants, pickupOf, search, service: createRiderService({ commands, instants, search }) };
}

/** The time and cause of a command by the service, and the position of its last write. */
function createSystemContext(business: number, time: number, cause: Cause) {
  let lastPosition: Position | undefined;
  const context: WriteContext = {
    cause: { ...cause, business: String(business) },
    time,
    wrote: (position) => void (position !== undefined && position > (lastPosition ?? '') && (lastPosition = position)),
  };
  return { context, lastPosition: () => lastPosition };
}

/** Continues the search after an offer has expired or a round has found no rider. */
export function expireInstant(context: AreaContext): Expiring {
  const { queries, instants, search } = createRiderParts(context);
  return async (stream, expire, cause) => {
    const orderId = Number(stream.slice(INSTANT_PREFIX.length));
    const business = await queries.businessOf(orderId);
    if (business === undefined) return { reply: undefined, changed: false, position: undefined };
    const orderKey = { orderId, business };
    const { context, lastPosition: last } = createSystemContext(business, expire.now, cause);
    if (expire.name !== ROUND_TIMER) {
      const { changed, position, reply } = await instants(stream, expire, context.cause);
      if (!changed) return { reply: undefined, changed, position };
      context.wrote(position);
      await search.release(orderKey, reply.lapsed, LAPSED, context);
    }
    await search.step(orderKey, context);
    return { reply: undefined, changed: true, position: last() };
  };
}

const BATCH_SIZE = 100;

/** Resumes stalled searches: a crash happened between two steps, or busy riders may be free now. */
export function startInstantPolicy(
  { queries, instants, search, service }: RiderParts,
  { now, logger, engines: { limits } }: AreaContext,
) {
  const repair = startRepair({
    now,
    limits,
    unfinished: async (millis) => (await queries.waiting(new Date(millis).toISOString(), BATCH_SIZE)).map(String),
    async finish(id) {
      const orderId = Number(id);
      const business = await queries.businessOf(orderId);
      if (business === undefined) return;
      const correlationId = randomUUID();
      const cause: Cause = { correlationId, actor: { kind: 'system', id: 'instant_policy' }, channel: 'system' };
      const orderKey = { orderId, business };
      const { context } = createSystemContext(business, now(), cause);
      const lookCommand: InstantCommand = { do: 'look', commandId: correlationId, ...orderKey, now: now() };
      const { reply } = await instants(instantStream(orderId), lookCommand, context.cause);
      if (reply.status !== 'accepted') return search.step(orderKey, context);
      await service.assign(orderKey, reply.winner!, context).catch((error: unknown) => {
        // The order was assigned elsewhere in the meantime, so the search is over.
        if (!(error instanceof ApiError)) throw error;
      });
    },
    onError: (error, order) => logger.error({ err: error, order }, 'the search for a rider is not continued yet'),
  });
  return () => repair.stop();
}
