/** What may happen to a driver as a rider, and who lets offers go by. */
import {
  InstantGranted,
  InstantRevoked,
  RiderWentOffline,
  RiderWentOnline,
  type RiderGrant,
} from '../../events/drivers/riding.js';
import { DriverTimeReleased, DriverTimeReserved } from '../../events/drivers/events.js';
import type { PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { happened, type Happening } from '../core/entity.js';

/** `now`: milliseconds since 1970. */
export type RidingWish =
  | { readonly do: 'grant'; readonly grant: RiderGrant }
  | { readonly do: 'revoke'; readonly now: number }
  | { readonly do: 'goOnline'; readonly routeId: number; readonly date: string; readonly now: number }
  | { readonly do: 'goOffline'; readonly now: number };

export interface Riding {
  /** Undefined: no rider. */
  grant: RiderGrant | undefined;
  online: boolean;
  /** The route of the last time that the rider was online. */
  routeId: number | undefined;
  /** Offers that went by without an answer, one after the other. */
  lapses: number;
}

export const noRiding = (): Riding => ({ grant: undefined, online: false, routeId: undefined, lapses: 0 });

/** So many offers without an answer, and the rider is not there. */
const MOST_LAPSES = 3;
/** Why a rider's time is free again: nobody answered the offer. */
export const LAPSED = 'lapsed';

interface Whose {
  readonly userId: number;
  readonly business: number;
  readonly by?: number;
}

export function decideRiding(riding: Riding, command: RidingWish & Whose): Happening[] {
  const { userId: driver_id, business, by } = command;
  const whose = { driver_id, business, by };
  switch (command.do) {
    case 'grant': {
      const { max_concurrent, radius_m } = command.grant;
      if (riding.grant?.max_concurrent === max_concurrent && riding.grant.radius_m === radius_m) return [];
      return [happened(InstantGranted, { ...whose, max_concurrent, radius_m })];
    }
    case 'revoke':
      if (!riding.grant) return [];
      return [...offline(riding, whose, 'revoked', command.now), happened(InstantRevoked, whose)];
    case 'goOnline':
      if (!riding.grant) throw new DomainError('INSTANT_NOT_GRANTED');
      if (riding.online && riding.routeId === command.routeId) return [];
      return [
        happened(RiderWentOnline, {
          ...whose,
          route_id: command.routeId,
          date: command.date,
          at: new Date(command.now).toISOString(),
        }),
      ];
    case 'goOffline':
      return offline(riding, whose, 'self', command.now);
  }
}

type OfflineWhy = 'self' | 'stale' | 'revoked';

const offline = (
  { online }: Riding,
  whose: { readonly driver_id: number; readonly business: number; readonly by?: number | undefined },
  why: OfflineWhy,
  now: number,
): Happening[] => (online ? [happened(RiderWentOffline, { ...whose, why, at: new Date(now).toISOString() })] : []);

/** What follows where an offer was let go by: after the third in a row the rider is offline. */
export const afterLapse = (riding: Riding, { userId: driver_id, business }: Whose, now: number): Happening[] =>
  riding.lapses + 1 >= MOST_LAPSES ? offline(riding, { driver_id, business }, 'stale', now) : [];

export function evolveRiding(riding: Riding, { type, data }: PastEvent): void {
  switch (type) {
    case InstantGranted.type: {
      const { max_concurrent, radius_m } = data as unknown as RiderGrant;
      riding.grant = { max_concurrent, radius_m };
      return;
    }
    case InstantRevoked.type:
      riding.grant = undefined;
      return;
    case RiderWentOnline.type:
      Object.assign(riding, { online: true, routeId: data['route_id'], lapses: 0 });
      return;
    case RiderWentOffline.type:
      riding.online = false;
      return;
    case DriverTimeReserved.type:
      // An order that the rider has: an answer.
      if ((data['for'] as string).startsWith('instant:') && data['offer_until'] === undefined) riding.lapses = 0;
      return;
    case DriverTimeReleased.type:
      if (data['why'] === LAPSED) riding.lapses += 1;
      if (data['why'] === 'declined') riding.lapses = 0;
  }
}
