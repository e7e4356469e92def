/**
 * Work that one process at a time does on the log, under a lease: a projection's, the relay's, that of webhooks. A dead
 * one's work is taken over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { acquire, LeaseLost, release, type Reader } from './checkpoints.js';
import { heartbeatOf } from './heartbeat.js';
import type { Parts } from './parts.js';

/** How often a process looks whether the one that works is still there; also the first pause after an error. */
const RETRY_MS = 500;

export interface LeasedOptions extends Parts<'pool' | 'onError'> {
  readonly reader: Reader;
  /** This process. */
  readonly owner: LeaseHolder;
  readonly stopping: AbortSignal;
  /** Works from `position` on until `signal` says stop; calls `succeeded` after each piece of it. */
  readonly work: (position: Position, signal: AbortSignal, succeeded: () => void) => Promise<void>;
  /** Errors in a row make the pauses longer, up to this, in milliseconds; absent: they stay as they are. */
  readonly longestPause?: number;
}

/** Until `stopping`; then gives the lease back. */
export async function keepWorking({
  pool,
  reader,
  owner,
  stopping,
  work,
  onError,
  longestPause = RETRY_MS,
}: LeasedOptions): Promise<void> {
  let failures = 0;
  while (!stopping.aborted) {
    try {
      const position = await acquire(pool, reader, owner);
      if (position !== undefined) await underLease(position);
    } catch (error) {
      if (!(error instanceof LeaseLost)) {
        failures++;
        onError(error);
      }
    }
    const pause = Math.min(longestPause, RETRY_MS * 2 ** Math.max(0, failures - 1));
    await sleep(pause * (0.75 + Math.random() / 2), undefined, { signal: stopping }).catch(() => undefined);
  }
  await release(pool, reader.name, owner).catch(() => undefined);

  async function underLease(position: Position): Promise<void> {
    const lost = new AbortController();
    const letGo = heartbeatOf(pool, owner).hold(reader, () => lost.abort());
    try {
      await work(position, AbortSignal.any([stopping, lost.signal]), () => (failures = 0));
    } finally {
      letGo();
    }
  }
}
