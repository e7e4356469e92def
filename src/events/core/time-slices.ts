/** Long computations on the main thread in slices, between which other requests run. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of one slice. */
const SLICE_MS = 10;

/**
 * Returns a function to call between the steps of a computation: it waits for the next turn of the event loop when the
 * current slice is used up. `now`: milliseconds.
 */
export function createTimeSlices(now: () => number = () => performance.now()): () => Promise<void> {
  let sliceEnd = now() + SLICE_MS;
  return async () => {
    if (now() < sliceEnd) return;
    await nextTurn();
    sliceEnd = now() + SLICE_MS;
  };
}
