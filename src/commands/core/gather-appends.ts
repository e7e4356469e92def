/** What is appended to several streams in one turn of the event loop goes to the log in one call. */
import DataLoader from 'dataloader';
import type { AppendOutcome, EventLog, StreamAppend } from '../../events/core/log.js';

/**
 * For handlers whose commands come in pairs: else the second append waits for the first, which leaves at once. All
 * handlers of a stream must go through the same one.
 */
export function gatherAppends(log: EventLog): EventLog {
  const together = new DataLoader<StreamAppend, AppendOutcome>((appends) => log.append(appends), {
    cache: false,
    batchScheduleFn: setImmediate,
  });
  return { ...log, append: (appends) => Promise.all(appends.map((append) => together.load(append))) };
}
