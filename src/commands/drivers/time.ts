/** A driver's time: no two things overlap, and no more than so many claims count for a day. */
import { DriverTimeReleased, DriverTimeReserved } from '../../events/drivers/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { happened, type Happening } from '../core/entity.js';

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
}

export type TimeWish =
  | {
      readonly do: 'reserve';
      readonly reservation: Reservation;
      /** Most routes that the driver may hold on the day; of instant orders, most units at once. */
      readonly most: number;
    }
  | { readonly do: 'release'; readonly what: string; readonly why: string };

/** By reservation id. */
export type Reserved = Map<string, Reservation>;

const kindOf = ({ what }: Pick<Reservation, 'what'>): string => what.slice(0, what.indexOf(':'));

export function decideTime(
  reserved: Reserved,
  command: TimeWish & { readonly userId: number; readonly business: number },
): Happening | undefined {
  const { userId: driver_id, business } = command;
  if (command.do === 'release') {
    const reservation_id = reservationOf(command.what, driver_id);
    return reserved.has(reservation_id)
      ? happened(DriverTimeReleased, { reservation_id, why: command.why })
      : undefined;
  }
  const { reservation, most } = command;
  const reservation_id = reservationOf(reservation.what, driver_id);
  if (reserved.has(reservation_id)) return undefined;
  const others = [...reserved.values()];
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
    : alike.filter(({ date }) => date === reservation.date).length + 1;
  if (used > most) throw new DomainError('NOT_CLAIMABLE', { why: 'CAP_REACHED' });
  const { what, ...rest } = reservation;
  return happened(DriverTimeReserved, { driver_id, business, reservation_id, for: what, ...rest });
}

export function evolveTime(reserved: Reserved, { type, data }: PastEvent): void {
  const id = data['reservation_id'] as string;
  if (type === DriverTimeReserved.type) {
    const { for: what, from, to, units, date } = data as unknown as Reservation & { for: string };
    reserved.set(id, { what, from, to, units, date });
  }
  if (type === DriverTimeReleased.type) reserved.delete(id);
}
