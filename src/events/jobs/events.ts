/** The one fact that a job leaves in addition to those of its area: how it ended. Stream `job-<job id>`. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const JOB_PREFIX = 'job-';
export const jobStream = (id: string): string => `${JOB_PREFIX}${id}`;

/** Of what a job was to do one by one. */
export const jobCounts = z.object({ total: z.int(), succeeded: z.int(), failed: z.int(), rejected: z.int() });

export const JobFinished = eventType(
  'JobFinished',
  z.object({
    job_id: z.string(),
    kind: z.string(),
    business: z.int(),
    /** User id of the requester. */
    owner: z.int(),
    state: z.enum(['succeeded', 'failed', 'cancelled']),
    /** The stream that it speaks of. */
    subject: z.string().optional(),
    /** Why it failed, or was cancelled although nobody asked. */
    code: z.string().optional(),
    /** Of what it was to do one by one, how much was refused; absent where nothing was. */
    rejected: z.int().optional(),
    /** Of what it was to do one by one. */
    counts: jobCounts.optional(),
    /** Names of the files that it has left; absent where there are none. */
    artifacts: z.array(z.string()).optional(),
    /** It only found out what it would have done. */
    dry_run: z.boolean().optional(),
  }),
);

export const JOB_EVENTS = [JobFinished] as const;
