/** The working hours of a driver's day, in epoch seconds. */
import type { Shift } from '../../../events/planning/events.js';
import type { PlannedShift } from '../../../projections/shifts/queries.js';
import { clockAt, dayBegins } from '../../../events/core/wall-clock.js';

export interface WorkHours {
  readonly start: number;
  readonly end: number;
  /** Sorted by time; the windows of their beginnings do not overlap. */
  readonly breaks: readonly { readonly duration: number; readonly earliest: number; readonly latest: number }[];
}

/** Maximum number of breaks of a shift that a plan considers. */
const MAX_BREAKS = 4;

/** Hours of a planned shift. */
export function shiftHours({
  start_at,
  end_at,
  breaks,
}: Pick<PlannedShift, 'start_at' | 'end_at' | 'breaks'>): WorkHours {
  const at = (time: string): number => Math.floor(Date.parse(time) / 1_000);
  return {
    start: at(start_at),
    end: at(end_at),
    breaks: disjointBreaks(
      breaks.map(({ duration_s, earliest_at, latest_at }) => ({
        duration: duration_s,
        earliest: at(earliest_at),
        latest: at(latest_at),
      })),
    ),
  };
}

/** Hours of the default shift, by the local time of the day. */
export function defaultShiftHours({ start, end, breaks }: Shift, date: string, timezone: string): WorkHours {
  const at = (clock: string): number => dayBegins(date, timezone) + clockAt(date, clock, timezone);
  return {
    start: at(start),
    end: Math.max(at(start), at(end)),
    breaks: disjointBreaks(
      breaks.map(({ duration_s, earliest, latest }) => ({
        duration: duration_s,
        earliest: at(earliest),
        latest: at(latest),
      })),
    ),
  };
}

/** Makes start windows disjoint: a later break can begin only after the window of the earlier break. */
function disjointBreaks(breaks: WorkHours['breaks']): WorkHours['breaks'] {
  const sorted = [...breaks].sort((one, other) => one.earliest - other.earliest || one.latest - other.latest);
  let before = -1;
  return sorted.slice(0, MAX_BREAKS).map((pause) => {
    const earliest = Math.max(pause.earliest, before + 1);
    const latest = Math.max(earliest, pause.latest);
    before = latest;
    return { ...pause, earliest, latest };
  });
}
