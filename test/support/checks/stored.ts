/** What a log holds, asked of the log itself: whatever engine it is on. */
import { START, type EventLog, type Position, type StoredEvent } from '../../../src/events/core/log.js';

/** Everything behind `from` up to where the log ends now, in its order. */
export async function stored(log: EventLog, from: Position = START): Promise<StoredEvent[]> {
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
