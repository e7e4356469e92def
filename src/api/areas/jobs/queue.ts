/** How an area queues long work, and waits a while for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobStore, StoredJob } from '../../../engines/postgres/jobs.js';
import { derivedId } from '../../../events/otep/identity.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import type { QueuedWork } from './worker.js';

export interface Jobs {
  /**
   * Durable when it resolves with the id of the job, which a retry of the command has again. Throws TOO_MANY_JOBS.
   * `work`: JSON, without a person.
   */
  queue(kind: string, work: unknown, context: Context, subject?: string): Promise<string>;
  /** The job once it has ended, or after this many seconds. */
  waitFor(id: string, seconds: number): Promise<StoredJob | undefined>;
}

/** Seconds that a caller may wait for a job. */
export const LONGEST_WAIT = 25;
const LOOK_MS = 150;
const RETRY_SECONDS = '10';

/** `nudge` is called after something was queued. */
export function createJobs(store: JobStore, nudge: () => void): Jobs {
  return {
    async queue(kind, work, { caller, commandId, cause: { rehearsal: _none, ...cause } }, subject) {
      const id = derivedId('job', kind, commandId);
      const queued: QueuedWork = { cause, work };
      const job = { id, kind, business: businessOf(caller), owner: userOf(caller).userId, work: queued };
      if (!(await store.queue({ ...job, ...(subject !== undefined && { subject }) })))
        throw new ApiError('TOO_MANY_JOBS', { headers: { 'Retry-After': RETRY_SECONDS } });
      nudge();
      return id;
    },
    async waitFor(id, seconds) {
      const until = performance.now() + seconds * 1_000;
      for (;;) {
        const job = await store.byId(id);
        if (!job || job.finished_at || performance.now() >= until) return job;
        await sleep(LOOK_MS);
      }
    },
  };
}
