/** The free time of a driver: working hours without the driver's existing routes. */
import type { BoardQueries, OtherRoute } from '../../../projections/board/queries.js';
import type { WorkHours } from './work-hours.js';

/** In epoch seconds. */
export interface BusyPeriod {
  readonly from: number;
  readonly to: number;
}

/**
 * Times of the drivers' routes on the day and on neighbouring days, by driver. `without`: ids of routes that are
 * ignored.
 */
export async function busyPeriodsOf(
  board: Pick<BoardQueries, 'others'>,
  driverIds: readonly number[],
  { date, without }: { readonly date: string; readonly without: ReadonlySet<number> },
): Promise<ReadonlyMap<number, readonly BusyPeriod[]>> {
  const busyPeriods = new Map<number, BusyPeriod[]>();
  for (const route of await board.others(driverIds, date))
    if (!without.has(route.id))
      busyPeriods.set(route.driverId, [...(busyPeriods.get(route.driverId) ?? []), toBusyPeriod(route)]);
  return busyPeriods;
}

const toBusyPeriod = ({ from, to }: OtherRoute): BusyPeriod => ({
  from: Math.floor(from / 1_000),
  to: Math.ceil(to / 1_000),
});

export const overlap = (one: BusyPeriod, other: BusyPeriod): boolean => one.from < other.to && other.from < one.to;

/**
 * Returns the longest free period of the hours, not before `notBefore`, with the breaks that fall into it. If nothing
 * is free, the period is empty.
 */
export function freeHoursOf(work: WorkHours, busyPeriods: readonly BusyPeriod[], notBefore = 0): WorkHours {
  if (!busyPeriods.some((one) => overlap(one, { from: work.start, to: work.end }))) return work;
  const emptyPeriodAt = (end: number): BusyPeriod => ({ from: end, to: end });
  let free = emptyPeriodAt(work.start);
  let from = Math.max(work.start, notBefore);
  for (const next of [...busyPeriods].sort((one, other) => one.from - other.from).concat(emptyPeriodAt(work.end))) {
    const to = Math.min(next.from, work.end);
    if (to - from > free.to - free.from) free = { from, to };
    from = Math.max(from, next.to);
  }
  const { from: start, to: end } = free;
  return {
    start,
    end,
    breaks: work.breaks
      .filter(({ earliest, latest }) => start <= latest && earliest <= end)
      .map((pause) => ({ ...pause, earliest: Math.max(pause.earliest, start) })),
  };
}
