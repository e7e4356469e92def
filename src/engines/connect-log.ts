/** Connects to the log of EventStoreDB. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable, type EventLog } from '../events/core/log.js';

/** Milliseconds. */
const PATIENCE = { lookAgain: 1_000, tellEvery: 10_000 };

/** A service that starts before its log waits for it, and is notified of the reason now and then. */
export async function connectLog(
  url: string,
  onAway?: (error: unknown) => void,
  { lookAgain, tellEvery }: typeof PATIENCE = PATIENCE,
): Promise<EventLog> {
  // Its client is a third of the start of a command line tool: loaded only where there is one.
  const { connectEventStore } = await import('./eventstore/log.js');
  for (let told = -Infinity; ;) {
    try {
      return await connectEventStore(url);
    } catch (error) {
      if (!onAway || !(error instanceof LogUnavailable)) throw error;
      if (Date.now() - told >= tellEvery) {
        told = Date.now();
        onAway(error);
      }
      await sleep(lookAgain);
    }
  }
}
