/** Retries work that a lost connection or a deadlock interrupted, for a short time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable } from '../../events/core/log.js';
import { isWorthRetrying } from '../postgres/failures.js';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 20;

/**
 * `work` must be safe to repeat. Throws `LogUnavailable` if the database stays unavailable, after about a third of a
 * second plus timeouts.
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      if (attempt === ATTEMPTS) throw new LogUnavailable('The event log does not respond.', { cause: error });
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}
