import type { Break } from '../problem.js';
import { NEVER } from './model.js';

/**
 * Returns the latest ready time at a stop whose service must start by `bound`: inside the last window that opens by
 * then.
 */
export function readyBy(windows: readonly (readonly [number, number])[], bound: number): number {
  for (let index = windows.length - 1; index >= 0; index -= 1) {
    const [from, to] = windows[index]!;
    if (from <= bound) return bound < to ? bound : to;
  }
  return -NEVER;
}

/** Returns when the service starts if the driver is ready at `clock`; NEVER if all windows have ended. */
export function serviceStart(windows: readonly (readonly [number, number])[], clock: number): number {
  for (const [from, to] of windows) if (clock <= to) return clock < from ? from : clock;
  return NEVER;
}

/** Extends times by pauses taken: a driver who is ready may take the next pause here. */
export function leaveByPause(times: Int32Array, offset: number, breaks: readonly Break[]): void {
  for (let taken = 0; taken < breaks.length; taken += 1) {
    const { duration, earliest, latest } = breaks[taken]!;
    const clock = times[offset + taken]!;
    if (clock > latest) continue;
    const over = (clock < earliest ? earliest : clock) + duration;
    if (over < times[offset + taken + 1]!) times[offset + taken + 1] = over;
  }
}

/** The same for latest times, backward: the next pause may be taken here. */
export function arriveByPause(times: Int32Array, offset: number, breaks: readonly Break[]): void {
  for (let taken = breaks.length - 1; taken >= 0; taken -= 1) {
    const { duration, earliest, latest } = breaks[taken]!;
    const bound = times[offset + taken + 1]!;
    if (bound < earliest + duration) continue;
    const arrival = bound - duration < latest ? bound - duration : latest;
    if (arrival > times[offset + taken]!) times[offset + taken] = arrival;
  }
}
