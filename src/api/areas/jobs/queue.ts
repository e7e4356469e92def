/** Lets an area queue long-running work and wait for a limited time. */
import type { JobStore, StoredJob } from '../../../engines/postgres/jobs.js';
import { derivedId } from '../../../events/otep/identity.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import { createLooking, type LookAgain } from './looking.js';
import type { QueuedWork } from './ending.js';
import type { JobKind } from './kind.js';

export interface Jobs {
  /**
   * Resolves with the id of the job once the job is stored durably. A retry of the command gets the same id. Throws
   * TOO_MANY_JOBS. `work`: JSON; its kind must declare the persons that it names. `most`: maximum number of queued and
   * running jobs of this kind per business.
   */
  queue(kind: string, work: unknown, context: Context, subject?: string, most?: number): Promise<string>;
  /** The job once it has ended, or after this many seconds. */
  waitFor(id: string, seconds: number): Promise<StoredJob | undefined>;
  readonly lookAgain: LookAgain;
}

/** Maximum number of seconds that a caller may wait for a job. */
export const LONGEST_WAIT = 25;
const RETRY_SECONDS = '10';

/** `nudge` is called after a job was queued. */
export function createJobs(store: JobStore, kindOf: (name: string) => JobKind | undefined, nudge: () => void): Jobs {
  const lookAgain = createLooking(store);
  return {
    lookAgain,
    async queue(kind, work, { caller, commandId, cause: { rehearsal: _none, ...cause } }, subject, most) {
      const id = derivedId('job', kind, commandId);
      const queued: QueuedWork = { cause, work };
      const job = { id, kind, business: businessOf(caller), owner: userOf(caller).userId, work: queued };
      const subjects = kindOf(kind)?.subjectsOf?.(work) ?? [];
      const more = { subjects, ...(subject !== undefined && { subject }), ...(most !== undefined && { most }) };
      if (!(await store.queue({ ...job, ...more })))
        throw new ApiError('TOO_MANY_JOBS', { headers: { 'Retry-After': RETRY_SECONDS } });
      nudge();
      return id;
    },
    async waitFor(id, seconds) {
      const until = performance.now() + seconds * 1_000;
      let job = await store.byId(id);
      while (job && !job.finished_at && performance.now() < until) job = await lookAgain(job.id);
      return job;
    },
  };
}
