/** Days as the businesses of the tests count them: at night in Berlin it is another day than in UTC. */
import { localDate } from '../../../src/events/core/local-time.js';

export const TIMEZONE = 'Europe/Berlin';
export const DAY_MS = 86_400_000;

/** `YYYY-MM-DD`, so many days from today. `now`: the test's clock, milliseconds since 1970. */
export const dayIn = (days: number, now = Date.now()): string => localDate(now + days * DAY_MS, TIMEZONE);

/** A function that returns a later day at each call, from tomorrow on. Drivers who are busy on one day are free on the next. */
export function laterDays(): () => string {
  let days = 0;
  return () => dayIn((days += 1));
}
