/**
 * The search for a rider, one step at a time. Free riders get offers, as many at once as the request allows. Two
 * streams must agree: the service first reserves the rider's time, then makes the offer. If another process was faster,
 * the reserved time is released. Each step starts from the search's current state, so it can be repeated safely.
 */
import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { Commands } from '../../../commands/commands.js';
import type { DriverCommand } from '../../../commands/drivers/decider.js';
import { LAPSED } from '../../../commands/drivers/duty.js';
import { isAsking } from '../../../commands/riders/state.js';
import { reachOf, type Candidate, type InstantCommand, type InstantReply } from '../../../commands/riders/decider.js';
import type { Expire } from '../../../events/core/timers.js';
import { driverStream } from '../../../events/drivers/events.js';
import { instantStream } from '../../../events/riders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { RiderQueries } from '../../../projections/riders/queries.js';
import type { Context } from '../../core/operation.js';
import { ineligibilityOf, type PickupOf } from './pickup.js';
import { rank } from './ranking.js';

export interface SearchOptions {
  readonly commands: Pick<Commands, 'drivers'>;
  readonly instants: Handle<InstantCommand | Expire, InstantReply>;
  readonly queries: RiderQueries;
  readonly orders: Pick<OrderQueries, 'byId'>;
  readonly pickupOf: PickupOf;
  readonly isActive: (business: number, driverId: number) => Promise<boolean>;
}

export type WriteContext = Pick<Context, 'cause' | 'time' | 'wrote'>;
/** An order of a business. */
export interface OrderKey {
  readonly orderId: number;
  readonly business: number;
}

export interface Search {
  /** Runs the next step of the search. */
  step(orderKey: OrderKey, context: WriteContext): Promise<void>;
  /**
   * Releases the riders' time that was reserved for the order. `why` LAPSED: the rider did not respond to the offer.
   */
  release(orderKey: OrderKey, riderIds: readonly number[], why: string, context: WriteContext): Promise<void>;
  /** Makes the reservation permanent: the rider has the order. */
  confirm(orderKey: OrderKey, riderId: number, context: WriteContext): Promise<void>;
}

/** Riders whose last position is older get no offers. */
const MAX_POSITION_AGE_MS = 120_000;
/** Time that an instant order reserves in a rider's day. */
const RESERVED_MS = 3_600_000;
/** Maximum number of riders that one step tries; the next step tries other riders. */
const MAX_TRIED = 20;

export const reservationKeyOf = (orderId: number): string => `instant:${orderId}`;

export function createSearch({ commands, instants, queries, orders, pickupOf, isActive }: SearchOptions): Search {
  const toDriver = ({ business }: OrderKey, userId: number, command: object, { cause }: WriteContext) =>
    commands.drivers(
      driverStream(userId),
      { commandId: randomUUID(), userId, business, ...command } as DriverCommand,
      cause,
    );
  async function send(
    orderKey: OrderKey,
    command: object,
    { cause, time: now, wrote }: WriteContext,
  ): Promise<InstantReply> {
    const fullCommand = { commandId: randomUUID(), ...orderKey, now, ...command } as InstantCommand;
    const { reply, position } = await instants(instantStream(orderKey.orderId), fullCommand, cause);
    wrote(position);
    return reply;
  }
  const reservationOf = ({ orderId }: OrderKey, { time }: WriteContext, offerMs?: number) => {
    const at = (ms: number) => new Date(time + ms).toISOString();
    const span = { from: at(0), to: at(RESERVED_MS), units: 1, date: at(0).slice(0, 10) };
    return { what: reservationKeyOf(orderId), ...span, ...(offerMs !== undefined && { offer_until: at(offerMs) }) };
  };

  /** Returns whether the rider's time was newly reserved. */
  async function reserve(
    orderKey: OrderKey,
    riderId: number,
    offerMs: number,
    context: WriteContext,
  ): Promise<boolean> {
    if (!(await isActive(orderKey.business, riderId))) return false;
    const command = { do: 'reserve', reservation: reservationOf(orderKey, context, offerMs), now: context.time };
    try {
      const { changed, position } = await toDriver(orderKey, riderId, command, context);
      context.wrote(position);
      return changed;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  const search: Search = {
    async step(orderKey, context) {
      const { orderId, business } = orderKey;
      const { time: now } = context;
      const { request, round, roundUntil, open, offeredTo, ...found } = await send(orderKey, { do: 'look' }, context);
      if (!request || !isAsking(found) || open.length >= request.parallel) return;
      const order = await orders.byId(orderId, { business });
      const pickup = order && !ineligibilityOf(order) && (await pickupOf(order));
      if (!pickup) {
        const { lapsed } = await send(orderKey, { do: 'cancel', why: 'order_gone' }, context);
        return search.release(orderKey, lapsed, 'order_gone', context);
      }
      const nearbyRiders = await queries.near({
        business,
        ...pickup,
        reach: reachOf(request, Math.min(round + 1, request.max_rounds)),
        fleetIds: request.fleet_ids,
        seenSince: new Date(now - MAX_POSITION_AGE_MS).toISOString(),
        from: new Date(now).toISOString(),
        to: new Date(now + RESERVED_MS).toISOString(),
        without: offeredTo,
      });
      const ranked = rank(nearbyRiders, pickup, now);
      const within = (roundNumber: number) =>
        ranked.filter(({ distance_m }) => distance_m <= reachOf(request, roundNumber));
      const inRound = within(round);
      // If no rider is left and the round is over, the decider begins the next round.
      const isOver = inRound.length === 0 && open.length === 0 && now >= roundUntil && round < request.max_rounds;
      const candidates: Candidate[] = [];
      for (const one of (isOver ? within(round + 1) : inRound).slice(0, MAX_TRIED)) {
        if (candidates.length >= request.parallel - open.length) break;
        if (await reserve(orderKey, one.riderId, request.offer_s * 1_000, context)) candidates.push(one);
      }
      const after = await send(orderKey, { do: 'offer', candidates }, context);
      const offered = new Set(after.open.map(({ riderId }) => riderId));
      const notOffered = candidates.filter(({ riderId }) => !offered.has(riderId)).map(({ riderId }) => riderId);
      await search.release(orderKey, notOffered, 'not_offered', context);
    },
    async release(orderKey, riderIds, why, context) {
      for (const riderId of riderIds) {
        const command = {
          do: 'release',
          what: reservationKeyOf(orderKey.orderId),
          why,
          ...(why === LAPSED && { now: context.time }),
        };
        context.wrote((await toDriver(orderKey, riderId, command, context)).position);
      }
    },
    async confirm(orderKey, riderId, context) {
      const command = { do: 'reserve', reservation: reservationOf(orderKey, context), now: context.time };
      context.wrote((await toDriver(orderKey, riderId, command, context)).position);
    },
  };
  return search;
}
