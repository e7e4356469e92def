/** Waits until read models contain all events of the log, for callers that send no position. */
import type { EventLog } from '../../events/core/log.js';
import type { Progress } from './progress.js';
import type { ReadModelName } from './projection.js';

/** Maximum time that a response is delayed for this, in milliseconds. */
const WAIT_MS = 2_000;

/**
 * Returns a function that waits up to `WAIT_MS`. It returns whether the read models contain all events that were in the
 * log at the time of the call.
 */
export const createWaitUntilCurrent =
  (names: readonly ReadModelName[], { log, progress }: { readonly log: EventLog; readonly progress: Progress }) =>
  async (): Promise<boolean> => {
    const head = await log.head();
    return (await Promise.all(names.map((name) => progress.waitFor(name, head, WAIT_MS)))).every(Boolean);
  };
