/** Days in the time zone of the test businesses: at night, Berlin and UTC have different dates. */
import { localDate } from '../../../src/events/core/local-time.js';

export const TIMEZONE = 'Europe/Berlin';
export const DAY_MS = 86_400_000;

/** Returns the date `days` days from today: `YYYY-MM-DD`. `now`: the test's clock, milliseconds since 1970. */
export const dayIn = (days: number, now = Date.now()): string => localDate(now + days * DAY_MS, TIMEZONE);

/**
 * Returns a function that returns a later day at each call, from tomorrow on. A driver who is busy on one day is free
 * on the next.
 */
export function laterDays(): () => string {
  let days = 0;
  return () => dayIn((days += 1));
}
