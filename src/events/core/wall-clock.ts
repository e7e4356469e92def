/** Wall clocks of a day, in epoch seconds. */
import { localDateTime, startOfDay } from './local-time.js';

/** When a day begins, in epoch seconds. */
export const dayBegins = (date: string, timezone: string): number => Date.parse(startOfDay(date, timezone)) / 1_000;

/**
 * Seconds after the beginning of the day at which its clocks show `HH:MM`. A time that the day does not have is
 * the moment at which the clocks go forward: 02:30 is 03:00 (planning R12). Of one that it has twice the first is meant.
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
  // They go forward between `first`, which shows less, and `wanted`, which shows more.
  let [before, after] = [first, wanted];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (shown(middle) > wanted) after = middle;
    else before = middle;
  }
  return after;
}
