/**
 * Keeps the read models up to date. Each projection runs under a lease, batch by batch. Rows and checkpoint are written
 * in one transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { unwrapped, type WrapBatch } from '../../events/core/wrap-batch.js';
import type { Batch } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { quarantine } from './checkpoints.js';
import { startFollower, type Commit } from './follower.js';
import { foldSafely } from './fold.js';
import type { Parts } from './parts.js';
import type { Projection, Quarantined } from './projection.js';

const CHECK_INTERVAL_MS = 100;
/**
 * Number of checks per measurement of the load of the process. With fewer checks, a burst that waits for the disk looks
 * like the end of the load.
 */
const CHECKS_PER_SAMPLE = 3;
/** Background projections begin below this share of busy time of the event loop. */
const MAX_UTILIZATION = 0.6;

export interface RunnerOptions extends Parts<'log' | 'pool' | 'types' | 'progress'> {
  readonly projections: readonly Projection[];
  /** The lease holder of this process. */
  readonly owner: LeaseHolder;
  /** Maximum number of events in one transaction. */
  readonly batch?: number;
  readonly wrap?: WrapBatch;
  readonly onError: (projection: string, error: unknown) => void;
  readonly onQuarantine: (projection: string, streams: readonly Quarantined[]) => void;
}

export interface Runner {
  /** Finishes the current batches and releases the leases. */
  stop(): Promise<void>;
}

export function startRunner(options: RunnerOptions): Runner {
  const { log, pool, owner, progress, batch: size = 2_000, wrap = unwrapped, onError } = options;
  const followers = options.projections.map((projection) =>
    startFollower({
      reader: projection,
      log,
      pool,
      owner,
      progress,
      // Other work waits while a batch is folded. A background projection therefore takes batches of a tenth of the
      // size.
      batch: projection.background === undefined ? size : Math.ceil(size / 10),
      background: projection.background !== undefined,
      async take(batch, commit, { wasIdle, signal }) {
        if (projection.background && wasIdle)
          await waitForIdle(projection.background, () => progress.isAwaited(projection.name), signal);
        await wrap(`project ${projection.name}`, batch.events, () => commitBatch(projection, batch, commit, options));
      },
      onError: (error) => onError(projection.name, error),
    }),
  );
  return { stop: async () => void (await Promise.all(followers.map((follower) => follower.stop()))) };
}

/**
 * Waits before a background projection begins a batch. The wait ends when the process has time, when a caller waits for
 * the projection, or after `maxDelayMs` milliseconds. Once it has started, the projection continues to the end of the
 * log.
 */
async function waitForIdle(maxDelayMs: number, isAwaited: () => boolean, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + maxDelayMs;
  let before = performance.eventLoopUtilization();
  for (let check = 1; !signal.aborted && !isAwaited() && Date.now() < deadline; check++) {
    await sleep(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    if (check % CHECKS_PER_SAMPLE > 0) continue;
    if (performance.eventLoopUtilization(before).utilization < MAX_UTILIZATION) return;
    before = performance.eventLoopUtilization();
  }
}

async function commitBatch(
  projection: Projection,
  batch: Batch,
  commit: Commit,
  { types, onQuarantine }: RunnerOptions,
): Promise<void> {
  const target = { projection, schema: projection.name, types };
  const failedStreams = await foldSafely((fold) =>
    commit(async (db, skippedStreams) => {
      const failedStreams = await fold(
        db,
        target,
        skippedStreams.size === 0 ? batch.events : batch.events.filter(({ stream }) => !skippedStreams.has(stream)),
      );
      if (failedStreams.length > 0) await quarantine(db, projection.name, failedStreams);
      return failedStreams;
    }),
  );
  if (failedStreams.length > 0) onQuarantine(projection.name, failedStreams);
}
