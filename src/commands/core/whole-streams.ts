/** Whole streams, asked for one by one and read together. */
import DataLoader from 'dataloader';
import type { EventLog, StoredEvent } from '../../events/core/log.js';

/** Streams in one read: while the next are read, these are decided and appended. */
const READ_AT_ONCE = 250;

/**
 * All events of a stream, none where there is no such stream. What a bulk command asks for in one turn is read in
 * parts, one after the other.
 */
export function createWholeStreams(
  log: Pick<EventLog, 'readMany'>,
): (stream: string) => Promise<readonly StoredEvent[]> {
  /** The part before, of the same turn alone: a read that hangs must not hold up those of later commands. */
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
