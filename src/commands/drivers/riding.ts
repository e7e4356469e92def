/** Decides commands on a driver as a rider, and counts the offers that expire without a response. */
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
  /** Undefined: the driver is not a rider. */
  grant: RiderGrant | undefined;
  online: boolean;
  /** The route of the rider's latest online period. */
  routeId: number | undefined;
  /** Number of consecutive offers that expired without a response. */
  lapses: number;
}

export const noRiding = (): Riding => ({ grant: undefined, online: false, routeId: undefined, lapses: 0 });

/** After this many consecutive expired offers, the rider goes offline. */
const MOST_LAPSES = 3;
/** Reason for a release of the rider's time: the offer expired without a response. */
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

/** Events that follow from an expired offer: after the third one in a row, the rider goes offline. */
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
      // The rider accepted an order, so the count restarts.
      if ((data['for'] as string).startsWith('instant:') && data['offer_until'] === undefined) riding.lapses = 0;
      return;
    case DriverTimeReleased.type:
      if (data['why'] === LAPSED) riding.lapses += 1;
      if (data['why'] === 'declined') riding.lapses = 0;
  }
}
