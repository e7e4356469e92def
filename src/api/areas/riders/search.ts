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
import { LAPSED } from '../../../commands/drivers/riding.js';
import { isAsking } from '../../../commands/riders/state.js';
import { reachOf, type Candidate, type InstantCommand, type InstantReply } from '../../../commands/riders/decider.js';
import type { Expire } from '../../../events/core/timers.js';
import { driverStream } from '../../../events/drivers/events.js';
import { instantStream } from '../../../events/riders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { RiderQueries } from '../../../projections/riders/queries.js';
import type { Context } from '../../core/operation.js';
import { hindranceOf, type PickupOf } from './pickup.js';
import { rank } from './ranking.js';

export interface SearchOptions {
  readonly commands: Pick<Commands, 'drivers'>;
  readonly instants: Handle<InstantCommand | Expire, InstantReply>;
  readonly queries: RiderQueries;
  readonly orders: Pick<OrderQueries, 'byId'>;
  readonly pickupOf: PickupOf;
  readonly isActive: (business: number, driverId: number) => Promise<boolean>;
}

export type Told = Pick<Context, 'cause' | 'time' | 'wrote'>;
/** An order of a business. */
export interface Which {
  readonly orderId: number;
  readonly business: number;
}

export interface Search {
  /** Runs the next step of the search. */
  step(which: Which, told: Told): Promise<void>;
  /**
   * Releases the riders' time that was reserved for the order. `why` LAPSED: the rider did not respond to the offer.
   */
  release(which: Which, riderIds: readonly number[], why: string, told: Told): Promise<void>;
  /** Makes the reservation permanent: the rider has the order. */
  keep(which: Which, riderId: number, told: Told): Promise<void>;
}

/** Riders whose last position is older get no offers. */
const SEEN_MS = 120_000;
/** Time that an instant order reserves in a rider's day. */
const TAKES_MS = 3_600_000;
/** Maximum number of riders that one step tries; the next step tries further riders. */
const MOST_TRIED = 20;

export const instantOf = (orderId: number): string => `instant:${orderId}`;

export function createSearch({ commands, instants, queries, orders, pickupOf, isActive }: SearchOptions): Search {
  const toDriver = ({ business }: Which, userId: number, command: object, { cause }: Told) =>
    commands.drivers(
      driverStream(userId),
      { commandId: randomUUID(), userId, business, ...command } as DriverCommand,
      cause,
    );
  async function tell(which: Which, command: object, { cause, time: now, wrote }: Told): Promise<InstantReply> {
    const whole = { commandId: randomUUID(), ...which, now, ...command } as InstantCommand;
    const { reply, position } = await instants(instantStream(which.orderId), whole, cause);
    wrote(position);
    return reply;
  }
  const reservationOf = ({ orderId }: Which, { time }: Told, offerMs?: number) => {
    const at = (ms: number) => new Date(time + ms).toISOString();
    const span = { from: at(0), to: at(TAKES_MS), units: 1, date: at(0).slice(0, 10) };
    return { what: instantOf(orderId), ...span, ...(offerMs !== undefined && { offer_until: at(offerMs) }) };
  };

  /** Returns whether the rider's time was newly reserved. */
  async function reserve(which: Which, riderId: number, offerMs: number, told: Told): Promise<boolean> {
    if (!(await isActive(which.business, riderId))) return false;
    const command = { do: 'reserve', reservation: reservationOf(which, told, offerMs), now: told.time };
    try {
      const { changed, position } = await toDriver(which, riderId, command, told);
      told.wrote(position);
      return changed;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  const search: Search = {
    async step(which, told) {
      const { orderId, business } = which;
      const { time: now } = told;
      const { request, round, roundUntil, open, asked, ...found } = await tell(which, { do: 'look' }, told);
      if (!request || !isAsking(found) || open.length >= request.parallel) return;
      const order = await orders.byId(orderId, { business });
      const pickup = order && !hindranceOf(order) && (await pickupOf(order));
      if (!pickup) {
        const { lapsed } = await tell(which, { do: 'cancel', why: 'order_gone' }, told);
        return search.release(which, lapsed, 'order_gone', told);
      }
      const near = await queries.near({
        business,
        ...pickup,
        reach: reachOf(request, Math.min(round + 1, request.max_rounds)),
        fleetIds: request.fleet_ids,
        seenSince: new Date(now - SEEN_MS).toISOString(),
        from: new Date(now).toISOString(),
        to: new Date(now + TAKES_MS).toISOString(),
        without: asked,
      });
      const ranked = rank(near, pickup, now);
      const within = (which: number) => ranked.filter(({ distance_m }) => distance_m <= reachOf(request, which));
      const inRound = within(round);
      // If no rider is left and the round is over, the decider begins the next round.
      const isOver = inRound.length === 0 && open.length === 0 && now >= roundUntil && round < request.max_rounds;
      const candidates: Candidate[] = [];
      for (const one of (isOver ? within(round + 1) : inRound).slice(0, MOST_TRIED)) {
        if (candidates.length >= request.parallel - open.length) break;
        if (await reserve(which, one.riderId, request.offer_s * 1_000, told)) candidates.push(one);
      }
      const after = await tell(which, { do: 'offer', candidates }, told);
      const offered = new Set(after.open.map(({ riderId }) => riderId));
      const left = candidates.filter(({ riderId }) => !offered.has(riderId)).map(({ riderId }) => riderId);
      await search.release(which, left, 'not_offered', told);
    },
    async release(which, riderIds, why, told) {
      for (const riderId of riderIds) {
        const command = {
          do: 'release',
          what: instantOf(which.orderId),
          why,
          ...(why === LAPSED && { now: told.time }),
        };
        told.wrote((await toDriver(which, riderId, command, told)).position);
      }
    },
    async keep(which, riderId, told) {
      const command = { do: 'reserve', reservation: reservationOf(which, told), now: told.time };
      told.wrote((await toDriver(which, riderId, command, told)).position);
    },
  };
  return search;
}
