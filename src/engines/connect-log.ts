/** Connects to the log of EventStoreDB. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable, type EventLog } from '../events/core/log.js';

const LOOK_AGAIN_MS = 1_000;
const TELL_EVERY_MS = 10_000;

/** A service that starts before its log waits for it. */
export async function connectLog(url: string, onAway?: (error: unknown) => void): Promise<EventLog> {
  const { connectEventStore } = await import('./eventstore/log.js');
  for (let told = -Infinity; ;) {
    try {
      return await connectEventStore(url);
    } catch (error) {
      if (!onAway || !(error instanceof LogUnavailable)) throw error;
      if (Date.now() - told >= TELL_EVERY_MS) {
        told = Date.now();
        onAway(error);
      }
      await sleep(LOOK_AGAIN_MS);
    }
  }
}
