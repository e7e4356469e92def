/** Returns the end times of the pauses if the driver takes them all before departure. */
import type { Resource } from './problem.js';

export function pausesOver({ shift, breaks }: Resource): number[] {
  const times: number[] = [];
  let free = shift[0];
  for (const { duration, earliest, latest } of breaks) {
    if (free > latest) break;
    free = Math.max(free, earliest) + duration;
    times.push(free);
  }
  return times;
}
