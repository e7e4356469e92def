/** Combines the appends to several streams in one turn of the event loop into one call of the log. */
import DataLoader from 'dataloader';
import type { AppendOutcome, EventLog, StreamAppend } from '../../events/core/log.js';

/**
 * For handlers whose commands come in pairs: otherwise the second append waits for the first, which is sent
 * immediately. All handlers of a stream must use the same instance.
 */
export function gatherAppends(log: EventLog): EventLog {
  const together = new DataLoader<StreamAppend, AppendOutcome>((appends) => log.append(appends), {
    cache: false,
    batchScheduleFn: setImmediate,
  });
  return { ...log, append: (appends) => Promise.all(appends.map((append) => together.load(append))) };
}
