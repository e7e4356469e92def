/** Reads whole streams. Callers request single streams, and the streams are read together. */
import DataLoader from 'dataloader';
import type { EventLog, StoredEvent } from '../../events/core/log.js';

/**
 * Maximum number of streams in one read. While the next streams are read, the current streams are decided and appended.
 */
const READ_AT_ONCE = 250;

/**
 * Returns all events of a stream, or none if the stream does not exist. The streams that a bulk command requests in one
 * turn are read in parts, one after the other.
 */
export function createWholeStreams(
  log: Pick<EventLog, 'readMany'>,
): (stream: string) => Promise<readonly StoredEvent[]> {
  /**
   * The previous part of the same turn. Parts of other turns are not awaited, so that a read that hangs does not delay
   * the reads of later commands.
   */
  let ahead: Promise<unknown> | undefined;
  const streams = new DataLoader<string, readonly StoredEvent[]>(
    async (names) => {
      if (!ahead) setImmediate(() => (ahead = undefined));
      const reading = Promise.allSettled([ahead]).then(() => log.readMany(names));
      ahead = reading;
      const found = await reading;
      return names.map((name) => found.get(name) ?? []);
    },
    { cache: false, maxBatchSize: READ_AT_ONCE, batchScheduleFn: setImmediate },
  );
  return (stream) => streams.load(stream);
}
