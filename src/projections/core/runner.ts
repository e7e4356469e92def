/**
 * Keeps the read models up to date: each projection under a lease, batch by batch, rows and checkpoint in one
 * transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { plainly, type Around } from '../../events/core/around.js';
import type { Batch } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { quarantine } from './checkpoints.js';
import { startFollower, type Commit } from './follower.js';
import { foldSafely } from './fold.js';
import type { Parts } from './parts.js';
import type { Projection, Quarantined } from './projection.js';

const LOOK_MS = 100;
/**
 * In so many looks the process shows whether it has time: in less, a burst that waits for the disk is taken for its
 * end.
 */
const LOOKS = 3;
/** Share of its time that the process may be at work when what nobody waits for begins. */
const LEISURE = 0.6;

export interface RunnerOptions extends Parts<'log' | 'pool' | 'types' | 'progress'> {
  readonly projections: readonly Projection[];
  /** This process. */
  readonly owner: LeaseHolder;
  /** Most events in one transaction. */
  readonly batch?: number;
  readonly around?: Around;
  readonly onError: (projection: string, error: unknown) => void;
  readonly onQuarantine: (projection: string, streams: readonly Quarantined[]) => void;
}

export interface Runner {
  /** Finishes the batches under way and gives the leases back. */
  stop(): Promise<void>;
}

export function startRunner(options: RunnerOptions): Runner {
  const { log, pool, owner, progress, batch: size = 2_000, around = plainly, onError } = options;
  const followers = options.projections.map((projection) =>
    startFollower({
      reader: projection,
      log,
      pool,
      owner,
      progress,
      // Whoever comes meanwhile waits for a batch to be folded: one that nobody waits for is a tenth.
      batch: projection.background === undefined ? size : Math.ceil(size / 10),
      patient: projection.background !== undefined,
      async take(batch, commit, { rested, signal }) {
        if (projection.background && rested)
          await leisure(projection.background, () => progress.isAwaited(projection.name), signal);
        await around(`project ${projection.name}`, batch.events, () => commitBatch(projection, batch, commit, options));
      },
      onError: (error) => onError(projection.name, error),
    }),
  );
  return { stop: async () => void (await Promise.all(followers.map((follower) => follower.stop()))) };
}

/**
 * A background projection begins when the process has time for it, when somebody waits for it after all, or after the
 * longest wait; once begun it continues to the end.
 */
async function leisure(patience: number, isAwaited: () => boolean, signal: AbortSignal): Promise<void> {
  const longest = Date.now() + patience;
  let before = performance.eventLoopUtilization();
  for (let look = 1; !signal.aborted && !isAwaited() && Date.now() < longest; look++) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    if (look % LOOKS > 0) continue;
    if (performance.eventLoopUtilization(before).utilization < LEISURE) return;
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
  const bad = await foldSafely((fold) =>
    commit(async (db, leftOut) => {
      const bad = await fold(
        db,
        target,
        leftOut.size === 0 ? batch.events : batch.events.filter(({ stream }) => !leftOut.has(stream)),
      );
      if (bad.length > 0) await quarantine(db, projection.name, bad);
      return bad;
    }),
  );
  if (bad.length > 0) onQuarantine(projection.name, bad);
}
