/** The feed of a job: each change of its status, and its progress. The feed ends after the final status. */
import { z } from 'zod';
import { JOB_STATES, type JobStore, type StoredJob } from '../../../engines/postgres/jobs.js';
import { feed, type Feed, type FeedEvent } from '../../core/feed.js';
import type { Jobs } from './queue.js';
import { JOB_CALLERS, roundProgress, type JobVisibility } from './visibility.js';

const jobEventSchema = z
  .object({
    cursor: z.string().describe('Cursor of this event. Send it as `after` to continue after a lost connection.'),
    type: z.enum(['status', 'progress']),
    status: z.enum(JOB_STATES).optional().describe('New status, for the type `status`.'),
    progress: z.number().optional().describe('Progress from 0 to 1, for the type `progress`. It never decreases.'),
    step: z
      .string()
      .nullable()
      .optional()
      .describe('Name of the current step, for the type `progress`. Each kind of job has its own steps.'),
  })
  .meta({ id: 'JobEvent' });
type JobEvent = z.infer<typeof jobEventSchema>;

export interface JobFeedOptions {
  readonly store: Pick<JobStore, 'byId'>;
  readonly jobs: Pick<Jobs, 'pollJob'>;
  readonly visibility: JobVisibility;
}

export function jobFeed({ store, jobs, visibility }: JobFeedOptions): Feed {
  return feed({
    name: 'jobEvents',
    area: 'Jobs',
    summary: 'Follow the status and progress of a job',
    description:
      'Use it instead of polling the job. Without `after`, the feed starts with the past statuses and the current progress. With `after`, it starts after this cursor. It ends after the final status. Outdated progress is skipped. For server-sent events over REST, send `Accept: text/event-stream`.',
    path: '/v1/jobs/:job_id/events',
    callers: JOB_CALLERS,
    input: z.object({
      job_id: z.uuid(),
      after: z
        .string()
        .regex(/^\d{1,9}$/)
        .optional()
        .describe('Cursor of the last event that you received. The feed starts with the events after it.'),
    }),
    output: jobEventSchema,
    async subscribe({ job_id, after = '0' }, { caller, signal }) {
      // The owner of a job never changes. Every feed checks the token again for each event.
      const found = visibility.expectVisible(await store.byId(job_id), caller);
      // A version above the job's current one is from before a restore: send all events again.
      const begin = Number(after) > found.version ? 0 : Number(after);
      async function* events(): AsyncGenerator<readonly FeedEvent<JobEvent>[]> {
        let seen = begin;
        for (let job: StoredJob | undefined = found; job && !signal.aborted; job = await jobs.pollJob(job.id)) {
          yield changesSince(job, seen);
          seen = job.version;
          if (job.finished_at) return;
        }
      }
      return { cursor: String(begin), events: events() };
    },
  });
}

/** Changes after a version, in order. */
function changesSince({ states, progress_version, progress, step }: StoredJob, seen: number): FeedEvent<JobEvent>[] {
  const changes = [
    ...states.map(({ version, state }) => ({ version, change: { type: 'status', status: state } as const })),
    { version: progress_version, change: { type: 'progress', progress: roundProgress(progress), step } as const },
  ];
  return changes
    .filter(({ version }) => version > seen)
    .sort((a, b) => a.version - b.version)
    .map(({ version, change }) => {
      const cursor = String(version);
      return { cursor, event: change.type, data: { cursor, ...change } };
    });
}
