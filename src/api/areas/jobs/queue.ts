/** Lets an area queue long-running work and wait for a limited time. */
import { z } from 'zod';
import type { JobStore, StoredJob } from '../../../engines/postgres/jobs.js';
import { derivedId } from '../../../events/otep/identity.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import { createJobPolling, type PollJob } from './polling.js';
import type { QueuedWork } from './conclusion.js';
import type { JobKind } from './kind.js';

export interface Jobs {
  /**
   * Resolves with the id of the job once the job is stored durably. A retry of the command gets the same id. Throws
   * TOO_MANY_JOBS. `work`: JSON; its kind must declare the persons that it names. `maxJobs`: maximum number of queued
   * and running jobs of this kind per business.
   */
  queue(kind: string, work: unknown, context: Context, subject?: string, maxJobs?: number): Promise<string>;
  /** The job once it has ended, or after this many seconds. */
  waitFor(id: string, seconds: number): Promise<StoredJob | undefined>;
  readonly pollJob: PollJob;
}

/** Maximum number of seconds that a caller may wait for a job. */
export const MAX_WAIT_S = 25;

/** `wait_s` of operations that queue a job. */
export const waitInput = z
  .int()
  .min(0)
  .max(MAX_WAIT_S)
  .default(0)
  .describe('Maximum number of seconds to wait for the end of the job.');
const RETRY_SECONDS = '10';

/** `wake` is called after a job was queued. */
export function createJobs(store: JobStore, kindOf: (name: string) => JobKind | undefined, wake: () => void): Jobs {
  const pollJob = createJobPolling(store);
  return {
    pollJob,
    async queue(kind, work, { caller, commandId, cause: { dryRun: _none, ...cause } }, subject, maxJobs) {
      const id = derivedId('job', kind, commandId);
      const queued: QueuedWork = { cause, work };
      const job = { id, kind, business: businessOf(caller), owner: userOf(caller).userId, work: queued };
      const jobKind = kindOf(kind);
      const more = {
        subjects: jobKind?.subjectsOf?.(work) ?? [],
        long: jobKind?.isLong?.(work) ?? false,
        ...(subject !== undefined && { subject }),
        ...(maxJobs !== undefined && { most: maxJobs }),
      };
      if (!(await store.queue({ ...job, ...more })))
        throw new ApiError('TOO_MANY_JOBS', { headers: { 'Retry-After': RETRY_SECONDS } });
      wake();
      return id;
    },
    async waitFor(id, seconds) {
      const until = performance.now() + seconds * 1_000;
      let job = await store.byId(id);
      while (job && !job.finished_at && performance.now() < until) job = await pollJob(job.id);
      return job;
    },
  };
}
