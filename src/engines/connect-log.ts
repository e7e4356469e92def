/** Connects to the log of EventStoreDB. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable, type EventLog } from '../events/core/log.js';
import { ACCESS_NEEDED, CHECKED_STREAM, isAccessDenied } from './eventstore/access-denied.js';
import { StartupError } from './startup-error.js';
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

/**
 * Connects to the log. Throws a StartupError if the account lacks a right that the service needs. If the log is not available yet, it waits for it and reports the reason at
 * intervals.
 */
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
      const log = await connectEventStore(url, { timeout: engineMs, maxDelay: engineMs, queueTimeout: responseMs });
      await expectRights(log);
      return log;
    } catch (error) {
      if (isAccessDenied(error)) throw new StartupError(ACCESS_NEEDED);
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

/**
 * Throws if the account may not append. Connecting has read `$all` before. The check writes nothing, because no stream
 * has the expected revision, and the server checks the rights first.
 */
async function expectRights(log: EventLog): Promise<void> {
  const event = { id: randomUUID(), type: 'RightsChecked', version: 1, json: '{}', metadata: {} };
  try {
    await log.append([{ stream: CHECKED_STREAM, events: [event], expected: 1_000_000_000 }]);
  } catch (error) {
    await log.close();
    throw error;
  }
}
