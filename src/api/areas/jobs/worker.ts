/**
 * Runs queued jobs. One process at a time runs a job; after a crash another process resumes it. Effects never repeat.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { JobCommand } from '../../../commands/jobs/decider.js';
import type { JobArtifacts } from '../../../engines/postgres/job-artifacts.js';
import type { ClaimedJob, JobEnd, JobError, JobNow, JobStore } from '../../../engines/postgres/jobs.js';
import { ApiError } from '../../core/errors.js';
import { causeOf, conclude, ERASED, type QueuedWork } from './conclusion.js';
import type { JobHandle, JobKind } from './kind.js';
import type { JobMetrics } from './metrics.js';
import { exclusionsOf, type OccupiedSlot } from './slots.js';

export interface JobWorkerOptions {
  readonly store: JobStore;
  readonly artifacts: JobArtifacts;
  readonly handle: Handle<JobCommand, undefined>;
  readonly kinds: readonly JobKind[];
  /** Maximum number of jobs that run in parallel, at least 1. */
  readonly slots: number;
  readonly jobMetrics: JobMetrics;
  readonly onError: (error: unknown, job?: string) => void;
}

export type JobWorker = ReturnType<typeof startJobWorker>;

const POLL_MS = 500;
const RENEW_MS = 500;
/** After this many attempts that ended the process, a job fails. */
const MAX_ATTEMPTS = 5;

export function startJobWorker(options: JobWorkerOptions) {
  const { store, slots, onError } = options;
  const stopping = new AbortController();
  const worker = randomUUID();
  const running = new Map<Promise<void>, OccupiedSlot>();
  let wake = new AbortController();
  const polling = pollLoop();

  async function pollLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const job =
        running.size < slots
          ? await store
              .claim(worker, exclusionsOf(running.values(), slots))
              .catch((error: unknown) => void onError(error))
          : undefined;
      if (job) {
        const done: Promise<void> = runJob(job, worker, stopping.signal, options)
          .catch((error: unknown) => onError(error, job.id))
          .finally(() => {
            running.delete(done);
            wake.abort();
          });
        running.set(done, job);
      } else await pause(POLL_MS, AbortSignal.any([stopping.signal, wake.signal]));
    }
  }

  return {
    /** Polls for work now. */
    wake: (): void => wake.abort(),
    /** Returns unfinished jobs to the queue, and stops. */
    async stop(): Promise<void> {
      stopping.abort(new Error('the worker stops'));
      await polling;
      await Promise.all(running.keys());
      await store.release(worker);
    },
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

async function runJob(
  job: ClaimedJob,
  worker: string,
  stopping: AbortSignal,
  { store, artifacts, handle, kinds, jobMetrics, onError }: JobWorkerOptions,
): Promise<void> {
  const cancel = new AbortController();
  const stop = new AbortController();
  let now: JobNow = { progress: job.progress, step: null };
  const ended = new AbortController();
  const startedAt = performance.now();

  /**
   * Renews the lease and reads requested cancellations. After the lease is lost, this process stops working on the job.
   */
  async function renewLease(): Promise<void> {
    while (!ended.signal.aborted) {
      const lease = await store.renew(job.id, worker, now).catch((error: unknown) => {
        onError(error, job.id);
        return { wish: null, erased: false };
      });
      if (!lease) return cancel.abort(new LeaseLost());
      if (lease.wish === 'cancel') cancel.abort(new Cancelled(lease.erased ? ERASED : undefined));
      if (lease.wish === 'stop') stop.abort();
      await pause(RENEW_MS, ended.signal);
    }
  }

  const renewal = renewLease();
  try {
    const kind = kinds.find(({ name }) => name === job.kind);
    if (!kind) throw new Error(`this process does not support jobs of the kind ${job.kind}`);
    const jobHandle: JobHandle = {
      id: job.id,
      business: job.business,
      owner: job.owner,
      attempt: job.attempt,
      cancelled: AbortSignal.any([cancel.signal, stopping]),
      stopped: stop.signal,
      cause: causeOf(job),
      progress(fraction, step) {
        now = { ...now, progress: Math.min(1, Math.max(now.progress, fraction)), step };
      },
      done(result) {
        now = { ...now, done: result };
      },
      artifacts: {
        async put(name, mediaType, content, subjects) {
          const put = await artifacts.put({ job: job.id, worker }, { name, mediaType, content, subjects });
          if (put === 'lost') throw new LeaseLost();
          if (put === 'erased') throw new Cancelled(ERASED);
        },
        get: async (name) => (await artifacts.get(job.id, name))?.content,
      },
    };
    const end =
      job.ending ??
      (await determineEnd(
        job,
        () => kind.run((job.work as QueuedWork).work, jobHandle),
        () => now.done,
      ));
    // Stored before anything is published, so that the next worker of the job ends it the same way.
    if (!job.ending && !(await store.decide(job.id, worker, end))) throw new LeaseLost();
    await conclude(job, { worker, end, kind }, { store, artifacts, handle });
    jobMetrics.ended(job.kind, end, (performance.now() - startedAt) / 1_000);
  } catch (error) {
    // The lease was lost or given back: the next worker continues. Other failures are retried when the lease expires.
    if (error instanceof LeaseLost) return jobMetrics.leaseLost();
    if (!stopping.aborted) throw error;
  } finally {
    ended.abort();
    await renewal;
  }
}

/** `reason`: the error, if no user requested the cancellation. */
class Cancelled extends Error {
  constructor(readonly reason?: JobError) {
    super('the job is cancelled');
  }
}
class LeaseLost extends Error {}

/**
 * Returns how the job ended; throws if it has not ended. `done` returns the completed work that this attempt reported.
 */
async function determineEnd(job: ClaimedJob, run: () => Promise<unknown>, done: () => unknown): Promise<JobEnd> {
  if (job.attempt > MAX_ATTEMPTS) return { state: 'failed', error: { code: 'JOB_CRASHED' } };
  try {
    if (job.wish === 'cancel') throw new Cancelled(job.erased ? ERASED : undefined);
    return { state: 'succeeded', result: await run() };
  } catch (error) {
    if (error instanceof Cancelled) {
      const completed = done() ?? job.done ?? undefined;
      return {
        state: 'cancelled',
        ...(error.reason && { error: error.reason }),
        ...(completed !== undefined && { done: completed }),
      };
    }
    if (error instanceof DomainError || error instanceof ApiError)
      return { state: 'failed', error: { code: error.code, params: error.params } };
    throw error;
  }
}
