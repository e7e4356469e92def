/**
 * Work on the log that one process at a time performs under a lease: of a projection, of the relay, of webhooks. If
 * that process dies, another one takes over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { acquire, LeaseLost, release, type Reader } from './checkpoints.js';
import { heartbeatOf } from './heartbeat.js';
import type { Parts } from './parts.js';

/** Interval at which an idle process tries to take the lease, and the first pause after an error, in milliseconds. */
const RETRY_MS = 500;

export interface WorkUnderLeaseOptions extends Parts<'pool' | 'onError'> {
  readonly reader: Reader;
  /** The lease holder of this process. */
  readonly owner: LeaseHolder;
  readonly stopping: AbortSignal;
  /** Works from `position` until `signal` aborts. Calls `succeeded` after each completed part. */
  readonly work: (position: Position, signal: AbortSignal, succeeded: () => void) => Promise<void>;
  /** Consecutive errors lengthen the pauses up to this limit, in milliseconds. Absent: the pauses stay unchanged. */
  readonly maxPause?: number;
}

/** Runs until `stopping` aborts, then releases the lease. */
export async function workUnderLease({
  pool,
  reader,
  owner,
  stopping,
  work,
  onError,
  maxPause = RETRY_MS,
}: WorkUnderLeaseOptions): Promise<void> {
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
    const pause = Math.min(maxPause, RETRY_MS * 2 ** Math.max(0, failures - 1));
    await sleep(pause * (0.75 + Math.random() / 2), undefined, { signal: stopping }).catch(() => undefined);
  }
  await release(pool, reader.name, owner).catch(() => undefined);

  async function underLease(position: Position): Promise<void> {
    const leaseLost = new AbortController();
    const stopHeartbeat = heartbeatOf(pool, owner).hold(reader, () => leaseLost.abort());
    try {
      await work(position, AbortSignal.any([stopping, leaseLost.signal]), () => (failures = 0));
    } finally {
      stopHeartbeat();
    }
  }
}
