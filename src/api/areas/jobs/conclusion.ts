/** Applies the decided end of a job: notifies its area, records the end in the log, then updates the row. */
import { randomUUID } from 'node:crypto';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import type { JobCommand } from '../../../commands/jobs/decider.js';
import type { JobArtifacts } from '../../../engines/postgres/job-artifacts.js';
import type { ClaimedJob, JobEnd, JobError, JobStore } from '../../../engines/postgres/jobs.js';
import { jobStream } from '../../../events/jobs/events.js';
import type { JobKind } from './kind.js';

export interface ConclusionOptions {
  readonly store: Pick<JobStore, 'end' | 'take' | 'waitingErased'>;
  readonly artifacts: Pick<JobArtifacts, 'list'>;
  readonly handle: Handle<JobCommand, undefined>;
}

/** The queued input of a job, with the cause of the request. */
export interface QueuedWork {
  readonly cause: Cause;
  readonly work: unknown;
}

/** Error of a job that concerns an erased person. */
export const ERASED: JobError = { code: 'SUBJECT_ERASED' };

/**
 * The cause under which a job continues. If its work was erased, the original cause is unknown: then it is the system.
 */
export const causeOf = ({ id, business, work }: ClaimedJob): Cause => ({
  ...((work as QueuedWork | null)?.cause ?? {
    correlationId: id,
    actor: { kind: 'system', id: 'jobs' },
    channel: 'system',
    business: String(business),
  }),
  causationId: id,
});

/** Applies an end that is stored in the row. If the process dies in between, the next worker repeats all steps. */
export async function conclude(
  job: ClaimedJob,
  { worker, end, kind }: { readonly worker: string; readonly end: JobEnd; readonly kind: JobKind | undefined },
  { store, artifacts, handle }: ConclusionOptions,
): Promise<void> {
  const cause = causeOf(job);
  if (end.state !== 'succeeded' && job.work)
    await kind?.onAborted?.(
      (job.work as QueuedWork).work,
      { id: job.id, cause },
      { state: end.state, code: end.error?.code ?? 'CANCELLED' },
    );
  const names = (await artifacts.list(job.id)).map(({ name }) => name);
  await handle(
    jobStream(job.id),
    { ...toCommand(job, end, kind), ...(names.length > 0 && { artifacts: names }) },
    cause,
  );
  await store.end(job.id, worker);
}

const toCommand = (
  { id, kind: name, business, owner, subject }: ClaimedJob,
  end: JobEnd,
  kind: JobKind | undefined,
): JobCommand => ({
  job_id: id,
  kind: name,
  business,
  owner,
  state: end.state,
  ...(subject !== null && { subject }),
  ...(end.state !== 'succeeded' && end.error && { code: end.error.code }),
  ...summaryOf(end, kind),
});

function summaryOf(end: JobEnd, kind: JobKind | undefined) {
  const result = end.state === 'succeeded' ? end.result : end.state === 'cancelled' ? end.done : undefined;
  return result === undefined ? {} : kind?.summarize?.(result);
}

export type QueuedJobCanceller = ReturnType<typeof createQueuedJobCanceller>;

/** Ends queued jobs without a worker, because there may be no free worker for a long time. */
export function createQueuedJobCanceller(options: ConclusionOptions, kindOf: (name: string) => JobKind | undefined) {
  const { store } = options;
  async function end(id: string, error?: JobError): Promise<boolean> {
    const worker = randomUUID();
    const job = await store.take(id, worker, error);
    if (!job) return false;
    await conclude(job, { worker, end: job.ending!, kind: kindOf(job.kind) }, options);
    return true;
  }
  return {
    /** Cancels a queued job; false if a worker runs it or it has ended. */
    cancel: (id: string): Promise<boolean> => end(id),
    /** Cancels queued jobs that concern an erased person. */
    async forget(): Promise<void> {
      for (const id of await store.waitingErased()) await end(id, ERASED);
    },
  };
}
