/** Calendar dates without a time zone. */
import { addDays } from '../../events/core/local-time.js';

const DAY_MS = 86_400_000;

/** Days since 1970-01-01. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** ISO 8601: 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: string): number => ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;

/** Minutes since midnight of `HH:MM`. */
export const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The date this many days later. A date in the same month needs no calendar, which is faster. */
export function daysLater(date: string, days: number): string {
  const day = Number(date.slice(8)) + days;
  return day <= 28 ? date.slice(0, 8) + String(day).padStart(2, '0') : addDays(date, days);
}
