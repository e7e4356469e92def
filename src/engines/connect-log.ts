/** Connects to the log of EventStoreDB. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable, type EventLog } from '../events/core/log.js';
import { timeLimits, type TimeLimits } from '../events/core/time-limits.js';

const RETRY_MS = 1_000;
const REPORT_EVERY_MS = 10_000;

interface ConnectOptions extends Pick<TimeLimits, 'engineMs' | 'responseMs'> {
  /** Milliseconds. */
  readonly retryMs?: number;
  readonly reportEveryMs?: number;
  /** Milliseconds of any clock. */
  readonly now?: () => number;
}

/** Connects to the log. If the log is not available yet, it waits for it and reports the reason at intervals. */
export async function connectLog(
  url: string,
  onUnavailable?: (error: unknown) => void,
  {
    engineMs,
    responseMs,
    retryMs = RETRY_MS,
    reportEveryMs = REPORT_EVERY_MS,
    now = Date.now,
  }: ConnectOptions = timeLimits(),
): Promise<EventLog> {
  // Loading the client takes a third of the startup time of a command line tool, so it is loaded only if it is needed.
  const { connectEventStore } = await import('./eventstore/log.js');
  for (let reportedAt = -Infinity; ;) {
    try {
      return await connectEventStore(url, { timeout: engineMs, maxDelay: engineMs, queueTimeout: responseMs });
    } catch (error) {
      if (!onUnavailable || !(error instanceof LogUnavailable)) throw error;
      const time = now();
      if (time - reportedAt >= reportEveryMs) {
        reportedAt = time;
        onUnavailable(error);
      }
      await sleep(retryMs);
    }
  }
}
