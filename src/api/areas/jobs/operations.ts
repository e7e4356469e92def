/** Operations on jobs (long-running work): progress, result, files and cancellation. */
import { z } from 'zod';
import { ArtifactDamaged, type ArtifactInfo, type JobArtifacts } from '../../../engines/postgres/job-artifacts.js';
import { JOB_STATES, type JobStore, type StoredJob } from '../../../engines/postgres/jobs.js';
import { ApiError, type ErrorCode } from '../../core/errors.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { QueuedEnding } from './ending.js';
import { LONGEST_WAIT, type Jobs } from './queue.js';
import { JOB_CALLERS, rounded, type JobSight } from './sight.js';

export interface JobsOptions {
  readonly store: JobStore;
  readonly artifacts: JobArtifacts;
  readonly jobs: Jobs;
  readonly sight: JobSight;
  readonly ending: QueuedEnding;
}

const READ = { area: 'Jobs', callers: JOB_CALLERS } as const;
const NOT_THERE = { 404: "There is no such job, or it is not the caller's." };
const jobId = z.uuid();

const artifactSchema = z
  .object({ name: z.string(), media_type: z.string(), size_bytes: z.int(), sha256: z.string() })
  .meta({ id: 'JobArtifact' });
const jobSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    status: z.enum(JOB_STATES),
    progress: z.number().describe('0 to 1, never falling.'),
    step: z.string().nullable().describe('What is being done, as a word of its kind.'),
    subject: z.string().optional().describe('The stream that it speaks of, as the audit names it.'),
    created_at: z.string(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    attempt: z.int().describe('How often it was begun.'),
    stoppable: z.boolean().describe('Whether its best so far can be kept where it is ended early.'),
    result: z.unknown().optional().describe('Of its kind; of a job that was cancelled `{done}`: what stays done.'),
    error: z
      .object({ code: z.string(), message: z.string() })
      .meta({ id: 'JobError' })
      .optional()
      .describe('Why it failed, or was cancelled although nobody asked.'),
    artifacts: z.array(artifactSchema).optional().describe('Of one job: the files that it has left.'),
  })
  .meta({ id: 'Job' });

export function jobOperations({ store, artifacts, jobs, sight, ending }: JobsOptions): Operation[] {
  const { kindOf, viewerOf, holds, visible } = sight;
  const shown = (job: StoredJob, { header }: Pick<Context, 'header'>): z.infer<typeof jobSchema> => ({
    id: job.id,
    kind: job.kind,
    status: job.state,
    progress: rounded(job.progress),
    step: job.step,
    ...(job.subject !== null && { subject: job.subject }),
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    finished_at: job.finished_at?.toISOString() ?? null,
    attempt: job.attempt,
    stoppable: kindOf(job.kind)?.stoppable ?? false,
    ...(job.result !== null && { result: job.result }),
    ...(job.error && {
      error: {
        code: job.error.code,
        message: translate(job.error.code as ErrorCode, job.error.params, chooseLanguage(header('accept-language'))),
      },
    }),
  });

  return [
    operation({
      ...READ,
      name: 'jobs',
      summary: 'Long work that the caller may see, newest first',
      description:
        "The office sees its business's jobs, everybody else the own ones; of kinds that the token may read.",
      rest: { method: 'get', path: '/v1/jobs' },
      input: z.object({ kind: z.string().max(40).optional(), status: z.enum(JOB_STATES).optional(), ...pageInput }),
      output: z.object({ ...pageOutput, jobs: z.array(jobSchema) }),
      async run({ kind, status, ...page }, context) {
        const named = sight
          .kinds()
          .filter(({ name, scopes }) => (kind ?? name) === name && holds(context.caller, scopes.read))
          .map(({ name }) => name);
        const found = await store.list({ kinds: named, state: status, ...rangeOf(page) }, viewerOf(context.caller));
        return { ...pageOf(page, found), jobs: found.jobs.map((job) => shown(job, context)) };
      },
    }),

    operation({
      ...READ,
      name: 'job',
      summary: 'One job: how far it is, and what came of it',
      rest: { method: 'get', path: '/v1/jobs/:job_id' },
      waits: LONGEST_WAIT,
      answers: NOT_THERE,
      input: z.object({
        job_id: jobId,
        wait_s: z.coerce.number().int().min(0).max(LONGEST_WAIT).default(0).describe('Seconds to wait for its end.'),
      }),
      output: z.object({ result: z.boolean(), job: jobSchema }),
      async run({ job_id, wait_s }, context) {
        visible(await store.byId(job_id), context.caller);
        const job = visible(await jobs.waitFor(job_id, wait_s), context.caller);
        const kept: readonly ArtifactInfo[] = await artifacts.list(job_id);
        const left = kept.map(({ size, ...artifact }) => ({ ...artifact, size_bytes: size }));
        return { result: true, job: { ...shown(job, context), artifacts: left } };
      },
    }),

    operation({
      ...READ,
      callers: ['client_admin', 'employee', 'broker', 'driver', 'customer'],
      name: 'jobCancel',
      returns: { read: 'job' },
      summary: 'End a job early',
      description:
        'One that waits ends at once, one that runs within a second or two. What it has done already stays done, and is told as `result.done` by kinds that do much one by one.',
      rest: { method: 'post', path: '/v1/jobs/:job_id/cancel' },
      writes: true,
      risk: 'medium',
      answers: { ...NOT_THERE, 409: 'A job of this kind keeps nothing.' },
      input: z.object({ job_id: jobId, keep_result: z.boolean().default(false).describe('Keep the best so far.') }),
      output: z.object({ result: z.boolean() }),
      async run({ job_id, keep_result }, { caller, cause }) {
        const job = visible(await store.byId(job_id), caller);
        const kind = kindOf(job.kind)!;
        if (!holds(caller, kind.scopes.write)) throw new ApiError('FORBIDDEN');
        if (keep_result && !kind.stoppable) throw new ApiError('NOT_STOPPABLE');
        if (cause.rehearsal) return { result: true };
        if (keep_result || !(await ending.cancel(job_id))) await store.wish(job_id, keep_result ? 'stop' : 'cancel');
        return { result: true };
      },
    }),

    operation({
      ...READ,
      name: 'jobArtifact',
      summary: 'A file that a job has left',
      rest: { method: 'get', path: '/v1/jobs/:job_id/artifacts/:name', produces: 'application/octet-stream' },
      answers: NOT_THERE,
      input: z.object({ job_id: jobId, name: z.string().regex(/^[a-z0-9_.-]{1,60}$/) }),
      output: z.unknown(),
      async run({ job_id, name }, { caller }) {
        visible(await store.byId(job_id), caller);
        const found = await artifacts.get(job_id, name).catch((cause: unknown) => {
          throw cause instanceof ArtifactDamaged ? new ApiError('ARTIFACT_DAMAGED', { cause }) : cause;
        });
        if (!found) throw new ApiError('ARTIFACT_NOT_FOUND');
        return { body: found.content, mediaType: found.media_type };
      },
    }),
  ];
}
