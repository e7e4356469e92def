/** Reserves the time of a driver: reservations do not overlap, and the number of claims per day is limited. */
import { DriverTimeReleased, DriverTimeReserved } from '../../events/drivers/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { afterLapse, LAPSED, type RiderDuty } from './duty.js';

/** The purpose of a reservation for a route. */
export const routeOf = (routeId: number): string => `route:${routeId}`;

/** The id of a reservation: one per purpose and driver. A repeated reservation has the same id. */
export const reservationOf = (what: string, driverId: number): string => derivedId('reservation', what, driverId);

export interface Reservation {
  /** The purpose of the reservation: `route:<id>` or `instant:<order id>`. */
  readonly what: string;
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly units: number;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The order is only offered; the offer expires at this time. */
  readonly offer_until?: string;
  /** The route was assigned to the driver instead of claimed. It does not count towards the daily limit. */
  readonly given?: boolean;
}

export type TimeChange =
  | {
      readonly do: 'reserve';
      readonly reservation: Reservation;
      /**
       * Maximum number of routes that the driver may hold on the day. For instant orders, the grant contains the limit.
       */
      readonly most?: number;
      /** Time of the command, for instant orders only: milliseconds since 1970. */
      readonly now?: number;
    }
  /** `now`: set if an offer expired without a response. */
  | { readonly do: 'release'; readonly what: string; readonly why: string; readonly now?: number };

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Reserves the time of a route that is assigned to a driver. If the time is already reserved, the reservation moves.
 */
export const reserveAssigned = (routeId: number, { from, to }: Span, date: string): TimeChange => {
  const iso = (millis: number): string => new Date(millis).toISOString();
  const reservation = { what: routeOf(routeId), from: iso(from), to: iso(to), units: 1, date, given: true };
  return { do: 'reserve', reservation, most: Infinity };
};

/** Keyed by reservation id. */
export type Reserved = Map<string, Reservation>;

const kindOf = ({ what }: Pick<Reservation, 'what'>): string => what.slice(0, what.indexOf(':'));

export function decideTime(
  reserved: Reserved,
  duty: RiderDuty,
  command: TimeChange & { readonly userId: number; readonly business: number },
): NewEvent[] {
  const { userId: driver_id, business } = command;
  if (command.do === 'release') {
    const { what, why, now = 0 } = command;
    const reservation_id = reservationOf(what, driver_id);
    if (!reserved.has(reservation_id)) return [];
    return [
      newEvent(DriverTimeReleased, { reservation_id, why }),
      ...(why === LAPSED ? afterLapse(duty, command, now) : []),
    ];
  }
  const { reservation } = command;
  const reservation_id = reservationOf(reservation.what, driver_id);
  const { what, ...rest } = reservation;
  const reservedEvent = newEvent(DriverTimeReserved, { driver_id, business, reservation_id, for: what, ...rest });
  const known = reserved.get(reservation_id);
  if (known?.offer_until !== undefined && rest.offer_until === undefined) return [reservedEvent];
  // Only reservations of assigned routes move. A claim keeps the times of its posting, and an offer keeps its original
  // times.
  if (known && !(rest.given && isMoved(known, rest))) return [];
  const others = [...reserved].filter(([id]) => id !== reservation_id).map(([, other]) => other);
  mustBeFree(others, duty, command);
  return [reservedEvent];
}

const isMoved = (known: Pick<Reservation, 'from' | 'to'>, { from, to }: Pick<Reservation, 'from' | 'to'>): boolean =>
  Date.parse(known.from) !== Date.parse(from) || Date.parse(known.to) !== Date.parse(to);

/** Throws TIME_TAKEN, or NOT_CLAIMABLE with a reason. */
function mustBeFree(
  others: readonly Reservation[],
  { grant, online }: RiderDuty,
  { reservation, most = grant?.max_concurrent ?? 0, now = 0 }: Extract<TimeChange, { do: 'reserve' }>,
): void {
  const sameKind = others.filter((other) => kindOf(other) === kindOf(reservation));
  const isInstant = kindOf(reservation) === 'instant';
  // Instant orders may overlap each other, up to the granted number. A route may not overlap anything.
  const overlapping = others.find(
    (other) =>
      !(isInstant && kindOf(other) === 'instant') &&
      Date.parse(other.from) < Date.parse(reservation.to) &&
      Date.parse(reservation.from) < Date.parse(other.to),
  );
  if (overlapping) throw new DomainError('TIME_TAKEN', { what: overlapping.what });
  const used = isInstant
    ? sameKind.reduce((sum, { units }) => sum + units, 0) + reservation.units
    : sameKind.filter(({ date, given }) => date === reservation.date && !given).length + 1;
  if (used > most) throw new DomainError('NOT_CLAIMABLE', { why: 'CAP_REACHED' });
  if (!isInstant) return;
  if (!online) throw new DomainError('NOT_CLAIMABLE', { why: 'OFFLINE' });
  const isOpen = ({ offer_until }: Reservation) => offer_until !== undefined && Date.parse(offer_until) > now;
  if (sameKind.some(isOpen)) throw new DomainError('NOT_CLAIMABLE', { why: 'OFFER_OPEN' });
}

export function evolveTime(reserved: Reserved, { type, data }: PastEvent): void {
  const id = data['reservation_id'] as string;
  if (type === DriverTimeReserved.type) {
    const { for: what, from, to, units, date, offer_until, given } = data as unknown as Reservation & { for: string };
    reserved.set(id, {
      what,
      from,
      to,
      units,
      date,
      ...(offer_until !== undefined && { offer_until }),
      ...(given && { given }),
    });
  }
  if (type === DriverTimeReleased.type) reserved.delete(id);
}
