/** Works off queued jobs: each by one process at a time, again where a process died, and never twice in effect. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import type { JobCommand } from '../../../commands/jobs/decider.js';
import type { JobArtifacts } from '../../../engines/postgres/job-artifacts.js';
import type { ClaimedJob, JobEnd, JobStore } from '../../../engines/postgres/jobs.js';
import { jobStream } from '../../../events/jobs/events.js';
import { ApiError } from '../../core/errors.js';
import type { JobHandle, JobKind } from './kind.js';

export interface JobWorkerOptions {
  readonly store: JobStore;
  readonly artifacts: JobArtifacts;
  readonly handle: Handle<JobCommand, undefined>;
  readonly kinds: readonly JobKind[];
  /** Jobs at once. */
  readonly slots: number;
  readonly onError: (error: unknown, job?: string) => void;
}

export interface JobWorker {
  /** Looks for work now. */
  nudge(): void;
  /** Gives back what it has begun, and ends. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
const RENEW_MS = 500;
/** A job that ended the process so often is not tried again. */
const MOST_ATTEMPTS = 5;

/** What is queued: the work, with who asked for it. */
export interface QueuedWork {
  readonly cause: Cause;
  readonly work: unknown;
}

export function startJobWorker(options: JobWorkerOptions): JobWorker {
  const { store, slots, onError } = options;
  const stopping = new AbortController();
  const worker = randomUUID();
  const running = new Set<Promise<void>>();
  let wake = new AbortController();
  const looking = look();

  async function look(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const job =
        running.size < slots ? await store.claim(worker).catch((error: unknown) => void onError(error)) : undefined;
      if (job) {
        const done: Promise<void> = workOff(job, worker, stopping.signal, options)
          .catch((error: unknown) => onError(error, job.id))
          .finally(() => {
            running.delete(done);
            wake.abort();
          });
        running.add(done);
      } else await pause(POLL_MS, AbortSignal.any([stopping.signal, wake.signal]));
    }
  }

  return {
    nudge: () => wake.abort(),
    async stop() {
      stopping.abort(new Error('the worker stops'));
      await looking;
      await Promise.all(running);
      await store.release(worker);
    },
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

async function workOff(
  job: ClaimedJob,
  worker: string,
  stopping: AbortSignal,
  { store, artifacts, handle, kinds, onError }: JobWorkerOptions,
): Promise<void> {
  const { cause, work } = job.work as QueuedWork;
  const cancel = new AbortController();
  const stop = new AbortController();
  const now = { progress: job.progress, step: null as string | null };
  const ended = new AbortController();

  /** Keeps the lease, and hears what is wished. Without the lease nothing more is done here. */
  async function keep(): Promise<void> {
    while (!ended.signal.aborted) {
      const kept = await store.renew(job.id, worker, now.progress, now.step).catch((error: unknown) => {
        onError(error, job.id);
        return { wish: null };
      });
      if (!kept) return cancel.abort(new LeaseLost());
      if (kept.wish === 'cancel') cancel.abort(new Cancelled());
      if (kept.wish === 'stop') stop.abort();
      await pause(RENEW_MS, ended.signal);
    }
  }

  const keeping = keep();
  try {
    const kind = kinds.find(({ name }) => name === job.kind);
    if (!kind) throw new Error(`no process here knows jobs of the kind ${job.kind}`);
    const given: JobHandle = {
      id: job.id,
      business: job.business,
      owner: job.owner,
      attempt: job.attempt,
      cancelled: AbortSignal.any([cancel.signal, stopping]),
      stopped: stop.signal,
      cause: { ...cause, causationId: job.id },
      progress(fraction, step) {
        now.progress = Math.min(1, Math.max(now.progress, fraction));
        now.step = step;
      },
      artifacts: {
        put: (name, mediaType, content, subjects) => artifacts.put(job.id, name, mediaType, content, subjects),
        get: async (name) => (await artifacts.get(job.id, name))?.content,
      },
    };
    const end = await endOf(job, () => {
      if (job.wish === 'cancel') throw new Cancelled();
      return kind.run(work, given);
    });
    if (end.state !== 'succeeded')
      await kind.broken?.(work, given, {
        state: end.state,
        code: end.state === 'failed' ? end.error.code : 'CANCELLED',
      });
    // A worker that dies after this writes it again: it is recorded once.
    await handle(jobStream(job.id), factOf(job, end, kind), { ...cause, causationId: job.id });
    await store.end(job.id, worker, end);
  } catch (error) {
    // The lease was lost or given back: the next worker continues. Other failures are retried when the lease expires.
    if (!(error instanceof LeaseLost) && !stopping.aborted) throw error;
  } finally {
    ended.abort();
    await keeping;
  }
}

class Cancelled extends Error {}
class LeaseLost extends Error {}

/** How it ended; throws where it has not. */
async function endOf(job: ClaimedJob, run: () => Promise<unknown>): Promise<JobEnd> {
  if (job.attempt > MOST_ATTEMPTS) return { state: 'failed', error: { code: 'JOB_CRASHED' } };
  try {
    return { state: 'succeeded', result: await run() };
  } catch (error) {
    if (error instanceof Cancelled) return { state: 'cancelled' };
    if (error instanceof DomainError || error instanceof ApiError)
      return { state: 'failed', error: { code: error.code, params: error.params } };
    throw error;
  }
}

const factOf = ({ id, kind, business, owner, subject }: ClaimedJob, end: JobEnd, { told }: JobKind): JobCommand => ({
  job_id: id,
  kind,
  business,
  owner,
  state: end.state,
  ...(subject !== null && { subject }),
  ...(end.state === 'failed' && { code: end.error.code }),
  ...(end.state === 'succeeded' && told?.(end.result)),
});
