/** The one fact that a job leaves in addition to those of its area: how it ended. Stream `job-<job id>`. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const JOB_PREFIX = 'job-';
export const jobStream = (id: string): string => `${JOB_PREFIX}${id}`;

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
    /** Why it failed. */
    code: z.string().optional(),
    /** Of what it was to do one by one, how much was refused; absent where nothing was. */
    rejected: z.int().optional(),
    /** It only found out what it would have done. */
    dry_run: z.boolean().optional(),
  }),
);

export const JOB_EVENTS = [JobFinished] as const;
