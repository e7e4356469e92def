/** Reads a driver's shifts in adjacent months from the log, because a shift may continue into the next month. */
import { decode, type EventTypes } from '../../events/core/codec.js';
import type { EventLog } from '../../events/core/log.js';
import { shiftsStream } from '../../events/shifts/events.js';
import { shifts, type Span } from './decider.js';
import { pastOf } from '../core/decider.js';

/** Maximum duration of a shift. */
export const MAX_SHIFT_MS = 24 * 3_600_000;

/** Months (`YYYY-MM`) whose shifts could overlap a shift that begins in `month`. */
export function monthsBeside(month: string, { from, to }: Span): string[] {
  const of = (millis: number): string => new Date(millis).toISOString().slice(0, 7);
  return [...new Set([of(from - MAX_SHIFT_MS), of(to)])].filter((other) => other !== month);
}

export async function spansIn(
  { log, types }: { readonly log: Pick<EventLog, 'readMany'>; readonly types: EventTypes },
  driverId: number,
  months: readonly string[],
): Promise<Span[]> {
  if (months.length === 0) return [];
  const found = await log.readMany(months.map((month) => shiftsStream(driverId, month)));
  return [...found.values()].flatMap((events) => {
    const state = shifts.initial();
    for (const event of events) shifts.evolve(state, pastOf(event, decode(event, types)));
    return [...state.own.values()].filter(({ cancelled }) => !cancelled);
  });
}
