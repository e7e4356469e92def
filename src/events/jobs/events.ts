/**
 * The event that records how a job ended. Apart from it, a job has only the events of its area. Stream `job-<job id>`.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const JOB_PREFIX = 'job-';
export const jobStream = (id: string): string => `${JOB_PREFIX}${id}`;

/** Number of items that the job processed, by result. */
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
    /** The stream that the job concerns. */
    subject: z.string().optional(),
    /** Reason why it failed, or was cancelled without a request. */
    code: z.string().optional(),
    /** Number of rejected items; absent if there are none. */
    rejected: z.int().optional(),
    /** Counts of items. */
    counts: jobCounts.optional(),
    /** Names of the files that the job created; absent if there are none. */
    artifacts: z.array(z.string()).optional(),
    /** The job was a dry run. */
    dry_run: z.boolean().optional(),
  }),
);

export const JOB_EVENTS = [JobFinished] as const;
