/** The feed of a job: each change of its status, and its progress. The feed ends after the final status. */
import { z } from 'zod';
import { JOB_STATES, type JobStore, type StoredJob } from '../../../engines/postgres/jobs.js';
import { feed, type Feed, type Told } from '../../core/feed.js';
import type { Jobs } from './queue.js';
import { JOB_CALLERS, rounded, type JobSight } from './sight.js';

const told = z
  .object({
    cursor: z.string().describe('For `after`, where a connection was lost.'),
    type: z.enum(['status', 'progress']),
    status: z.enum(JOB_STATES).optional().describe('Of `status`.'),
    progress: z.number().optional().describe('Of `progress`: 0 to 1, never falling.'),
    step: z.string().nullable().optional().describe('Of `progress`: what is being done, as a word of its kind.'),
  })
  .meta({ id: 'JobEvent' });
type ToldChange = z.infer<typeof told>;

export interface JobFeedOptions {
  readonly store: Pick<JobStore, 'byId'>;
  readonly jobs: Pick<Jobs, 'lookAgain'>;
  readonly sight: JobSight;
}

export function jobFeed({ store, jobs, sight }: JobFeedOptions): Feed {
  return feed({
    name: 'jobEvents',
    area: 'Jobs',
    summary: 'How a job goes on, as it happens',
    description:
      'Begins with the states that it had and its progress, or behind `after`; ends after its last state. Progress that was overtaken is not told. Over server-sent events: `Accept: text/event-stream`.',
    path: '/v1/jobs/:job_id/events',
    callers: JOB_CALLERS,
    input: z.object({
      job_id: z.uuid(),
      after: z
        .string()
        .regex(/^\d{1,9}$/)
        .optional()
        .describe('A cursor that was told: what lies behind it comes first.'),
    }),
    output: told,
    async follow({ job_id, after = '0' }, { caller, signal }) {
      // The owner of a job never changes. Every feed checks the token again for each event.
      const found = sight.visible(await store.byId(job_id), caller);
      // A version above the job's current one is from before a restore: send all events again.
      const begin = Number(after) > found.version ? 0 : Number(after);
      async function* events(): AsyncGenerator<readonly Told<ToldChange>[]> {
        let seen = begin;
        for (let job: StoredJob | undefined = found; job && !signal.aborted; job = await jobs.lookAgain(job.id)) {
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
function changesSince({ states, progress_version, progress, step }: StoredJob, seen: number): Told<ToldChange>[] {
  const changes = [
    ...states.map(({ version, state }) => ({ version, change: { type: 'status', status: state } as const })),
    { version: progress_version, change: { type: 'progress', progress: rounded(progress), step } as const },
  ];
  return changes
    .filter(({ version }) => version > seen)
    .sort((a, b) => a.version - b.version)
    .map(({ version, change }) => {
      const cursor = String(version);
      return { cursor, event: change.type, data: { cursor, ...change } };
    });
}
