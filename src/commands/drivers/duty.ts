/** Decides commands on a driver as a rider, and counts the offers that expire without a response. */
import {
  InstantGranted,
  InstantRevoked,
  RiderWentOffline,
  RiderWentOnline,
  type RiderGrant,
} from '../../events/drivers/duty.js';
import { DriverTimeReleased, DriverTimeReserved } from '../../events/drivers/events.js';
import type { PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';

/** `now`: milliseconds since 1970. */
export type DutyChange =
  | { readonly do: 'grant'; readonly grant: RiderGrant }
  | { readonly do: 'revoke'; readonly now: number }
  | { readonly do: 'goOnline'; readonly routeId: number; readonly date: string; readonly now: number }
  | { readonly do: 'goOffline'; readonly now: number };

export interface RiderDuty {
  /** Undefined: the driver is not a rider. */
  grant: RiderGrant | undefined;
  online: boolean;
  /** The route of the rider's latest online period. */
  routeId: number | undefined;
  /** Number of consecutive offers that expired without a response. */
  lapses: number;
}

export const noDuty = (): RiderDuty => ({ grant: undefined, online: false, routeId: undefined, lapses: 0 });

/** After this many consecutive expired offers, the rider goes offline. */
const MAX_LAPSES = 3;
/** Reason for a release of the rider's time: the offer expired without a response. */
export const LAPSED = 'lapsed';

interface DriverRef {
  readonly userId: number;
  readonly business: number;
  readonly by?: number;
}

export function decideDuty(duty: RiderDuty, command: DutyChange & DriverRef): NewEvent[] {
  const { userId: driver_id, business, by } = command;
  const driver = { driver_id, business, by };
  switch (command.do) {
    case 'grant': {
      const { max_concurrent, radius_m } = command.grant;
      if (duty.grant?.max_concurrent === max_concurrent && duty.grant.radius_m === radius_m) return [];
      return [newEvent(InstantGranted, { ...driver, max_concurrent, radius_m })];
    }
    case 'revoke':
      if (!duty.grant) return [];
      return [...offline(duty, driver, 'revoked', command.now), newEvent(InstantRevoked, driver)];
    case 'goOnline':
      if (!duty.grant) throw new DomainError('INSTANT_NOT_GRANTED');
      if (duty.online && duty.routeId === command.routeId) return [];
      return [
        newEvent(RiderWentOnline, {
          ...driver,
          route_id: command.routeId,
          date: command.date,
          at: new Date(command.now).toISOString(),
        }),
      ];
    case 'goOffline':
      return offline(duty, driver, 'self', command.now);
  }
}

type OfflineReason = 'self' | 'stale' | 'revoked';

const offline = (
  { online }: RiderDuty,
  driver: { readonly driver_id: number; readonly business: number; readonly by?: number | undefined },
  why: OfflineReason,
  now: number,
): NewEvent[] => (online ? [newEvent(RiderWentOffline, { ...driver, why, at: new Date(now).toISOString() })] : []);

/** Events that follow from an expired offer: after the third one in a row, the rider goes offline. */
export const afterLapse = (duty: RiderDuty, { userId: driver_id, business }: DriverRef, now: number): NewEvent[] =>
  duty.lapses + 1 >= MAX_LAPSES ? offline(duty, { driver_id, business }, 'stale', now) : [];

export function evolveDuty(duty: RiderDuty, { type, data }: PastEvent): void {
  switch (type) {
    case InstantGranted.type: {
      const { max_concurrent, radius_m } = data as unknown as RiderGrant;
      duty.grant = { max_concurrent, radius_m };
      return;
    }
    case InstantRevoked.type:
      duty.grant = undefined;
      return;
    case RiderWentOnline.type:
      Object.assign(duty, { online: true, routeId: data['route_id'], lapses: 0 });
      return;
    case RiderWentOffline.type:
      duty.online = false;
      return;
    case DriverTimeReserved.type:
      // The rider accepted an order, so the count restarts.
      if ((data['for'] as string).startsWith('instant:') && data['offer_until'] === undefined) duty.lapses = 0;
      return;
    case DriverTimeReleased.type:
      if (data['why'] === LAPSED) duty.lapses += 1;
      if (data['why'] === 'declined') duty.lapses = 0;
  }
}
