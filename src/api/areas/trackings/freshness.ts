/**
 * Reads directly after a push: a read waits briefly until the timelines contain the events that were durable when it began. A read
 * that has nothing to wait for has no delay.
 *
 * - The writes of this process are known. A read waits for the latest one.
 * - Writes of other processes are not known. Only a read that finds nothing asks for the end of the log.
 *
 * A client that needs a guarantee sends `X-Event-Position`.
 */
import type { EventLog } from '../../../events/core/log.js';
import type { Progress } from '../../../projections/core/progress.js';
import { principalOf, type Caller } from '../../core/callers.js';

/** Maximum wait of one read, in milliseconds. */
const MAX_WAIT_MS = 300;
/** Maximum number of reads of one client that wait at the same time. All anonymous clients count as one. */
const MAX_WAITING = 100;

export interface FreshnessOptions {
  readonly progress: Pick<Progress, 'written' | 'has' | 'waitFor'>;
  readonly log: Pick<EventLog, 'head'>;
}

export type Freshness = ReturnType<typeof createFreshness>;

export function createFreshness({ progress, log }: FreshnessOptions) {
  const waiting = new Map<string, number>();

  /** Returns whether it waited. */
  async function waitFor(position: string, caller: Caller): Promise<boolean> {
    if (progress.has('timeline', position)) return false;
    const client = principalOf(caller) ?? '';
    const count = waiting.get(client) ?? 0;
    if (count >= MAX_WAITING) return false;
    waiting.set(client, count + 1);
    try {
      await progress.waitFor('timeline', position, MAX_WAIT_MS);
    } finally {
      const left = waiting.get(client)! - 1;
      if (left === 0) waiting.delete(client);
      else waiting.set(client, left);
    }
    return true;
  }

  return {
    /** Runs a read, which returns undefined if it finds nothing. */
    async read<T>(caller: Caller, read: () => Promise<T | undefined>): Promise<T | undefined> {
      const written = progress.written('timeline');
      const waited = written !== undefined && (await waitFor(written, caller));
      const found = await read();
      if (found !== undefined || waited) return found;
      return (await waitFor(await log.head(), caller)) ? read() : undefined;
    },
  };
}
