/** Converts wall clock times of a day to seconds. */
import { localDateTime, startOfDay } from './local-time.js';

/** The start of a day, in epoch seconds. */
export const dayBegins = (date: string, timezone: string): number => Date.parse(startOfDay(date, timezone)) / 1_000;

/**
 * Seconds between the start of the day and the moment at which its clocks show `HH:MM`. A time that does not exist on
 * that day is the moment at which the clocks go forward: 02:30 is 03:00 (planning R12). Of a time that occurs twice,
 * the first is used.
 */
export function clockAt(date: string, clock: string, timezone: string): number {
  const [hours, minutes] = clock.split(':').map(Number) as [number, number];
  const wanted = hours * 3_600 + minutes * 60;
  const begins = dayBegins(date, timezone);
  const shown = (seconds: number): number => {
    const [day, time] = localDateTime((begins + seconds) * 1_000, timezone).split(' ') as [string, string];
    const [h, m, s] = time.split(':').map(Number) as [number, number, number];
    const days = (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${date}T00:00:00Z`)) / 86_400_000;
    return days * 86_400 + h * 3_600 + m * 60 + s;
  };
  const first = wanted - (shown(wanted) - wanted);
  if (shown(first) === wanted) return first;
  // The clocks go forward between `first`, which shows an earlier time, and `wanted`, which shows a later one.
  let [before, after] = [first, wanted];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (shown(middle) > wanted) after = middle;
    else before = middle;
  }
  return after;
}
