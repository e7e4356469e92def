/** Reads the content of a log directly, on any engine. */
import { START, type EventLog, type Position, type StoredEvent } from '../../../src/events/core/log.js';

/** Returns all events after `from` up to the current end of the log, in order. */
export async function storedEvents(log: EventLog, from: Position = START): Promise<StoredEvent[]> {
  const head = await log.head();
  const stop = new AbortController();
  const found: StoredEvent[] = [];
  for await (const { events, position } of log.subscribe(from, { batch: 1_000, signal: stop.signal })) {
    found.push(...events);
    if (position >= head) break;
  }
  stop.abort();
  return found;
}
