/** A driver's time: no two things overlap, and the claims of a day are limited. */
import { DriverTimeReleased, DriverTimeReserved } from '../../events/drivers/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { happened, type Happening } from '../core/entity.js';
import { afterLapse, LAPSED, type Riding } from './riding.js';

/** What a route reserves time for. */
export const routeOf = (routeId: number): string => `route:${routeId}`;

/** One for a thing and a driver: reserved anew, it is the same. */
export const reservationOf = (what: string, driverId: number): string => derivedId('reservation', what, driverId);

export interface Reservation {
  /** `route:<id>` or `instant:<order id>`. */
  readonly what: string;
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly units: number;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** It is only offered, until then. */
  readonly offer_until?: string;
  /** Of a route that was given to the driver, and not claimed: it counts for no cap. */
  readonly given?: boolean;
}

export type TimeWish =
  | {
      readonly do: 'reserve';
      readonly reservation: Reservation;
      /** Most routes that the driver may hold on the day; of instant orders the grant says how many. */
      readonly most?: number;
      /** Of instant orders: milliseconds since 1970. */
      readonly now?: number;
    }
  /** `now`: where an offer was let go by. */
  | { readonly do: 'release'; readonly what: string; readonly why: string; readonly now?: number };

/** Epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reserves the time of a route that is given to its driver; where it was reserved already, its times move. */
export const reserveGiven = (routeId: number, { from, to }: Span, date: string): TimeWish => {
  const iso = (millis: number): string => new Date(millis).toISOString();
  const reservation = { what: routeOf(routeId), from: iso(from), to: iso(to), units: 1, date, given: true };
  return { do: 'reserve', reservation, most: Infinity };
};

/** By reservation id. */
export type Reserved = Map<string, Reservation>;

const kindOf = ({ what }: Pick<Reservation, 'what'>): string => what.slice(0, what.indexOf(':'));

export function decideTime(
  reserved: Reserved,
  riding: Riding,
  command: TimeWish & { readonly userId: number; readonly business: number },
): Happening[] {
  const { userId: driver_id, business } = command;
  if (command.do === 'release') {
    const { what, why, now = 0 } = command;
    const reservation_id = reservationOf(what, driver_id);
    if (!reserved.has(reservation_id)) return [];
    return [
      happened(DriverTimeReleased, { reservation_id, why }),
      ...(why === LAPSED ? afterLapse(riding, command, now) : []),
    ];
  }
  const { reservation } = command;
  const reservation_id = reservationOf(reservation.what, driver_id);
  const { what, ...rest } = reservation;
  const taken = happened(DriverTimeReserved, { driver_id, business, reservation_id, for: what, ...rest });
  const known = reserved.get(reservation_id);
  if (known?.offer_until !== undefined && rest.offer_until === undefined) return [taken];
  // A claim has the times of its posting, and an offer those of when it was made.
  if (known && !(rest.given && isMoved(known, rest))) return [];
  const others = [...reserved].filter(([id]) => id !== reservation_id).map(([, other]) => other);
  mustBeFree(others, riding, command);
  return [taken];
}

const isMoved = (known: Pick<Reservation, 'from' | 'to'>, { from, to }: Pick<Reservation, 'from' | 'to'>): boolean =>
  Date.parse(known.from) !== Date.parse(from) || Date.parse(known.to) !== Date.parse(to);

/** Throws TIME_TAKEN, and NOT_CLAIMABLE with the reason. */
function mustBeFree(
  others: readonly Reservation[],
  { grant, online }: Riding,
  { reservation, most = grant?.max_concurrent ?? 0, now = 0 }: Extract<TimeWish, { do: 'reserve' }>,
): void {
  const alike = others.filter((other) => kindOf(other) === kindOf(reservation));
  const isInstant = kindOf(reservation) === 'instant';
  // Instant orders go side by side, as many as were granted; a route goes with nothing.
  const overlapping = others.find(
    (other) =>
      !(isInstant && kindOf(other) === 'instant') &&
      Date.parse(other.from) < Date.parse(reservation.to) &&
      Date.parse(reservation.from) < Date.parse(other.to),
  );
  if (overlapping) throw new DomainError('TIME_TAKEN', { what: overlapping.what });
  const used = isInstant
    ? alike.reduce((sum, { units }) => sum + units, 0) + reservation.units
    : alike.filter(({ date, given }) => date === reservation.date && !given).length + 1;
  if (used > most) throw new DomainError('NOT_CLAIMABLE', { why: 'CAP_REACHED' });
  if (!isInstant) return;
  if (!online) throw new DomainError('NOT_CLAIMABLE', { why: 'OFFLINE' });
  const isOpen = ({ offer_until }: Reservation) => offer_until !== undefined && Date.parse(offer_until) > now;
  if (alike.some(isOpen)) throw new DomainError('NOT_CLAIMABLE', { why: 'OFFER_OPEN' });
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
