/** Operations on jobs (long-running work): progress, result, files and cancellation. */
import { z } from 'zod';
import { ArtifactDamaged, type ArtifactInfo, type JobArtifacts } from '../../../engines/postgres/job-artifacts.js';
import { JOB_STATES, type JobStore, type StoredJob } from '../../../engines/postgres/jobs.js';
import { attachment } from '../../core/attachment.js';
import { ApiError, type ErrorCode } from '../../core/errors.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { QueuedJobCanceller } from './conclusion.js';
import { MAX_WAIT_S, type Jobs } from './queue.js';
import { JOB_CALLERS, roundProgress, type JobVisibility } from './visibility.js';

export interface JobsOptions {
  readonly store: JobStore;
  readonly artifacts: JobArtifacts;
  readonly jobs: Jobs;
  readonly visibility: JobVisibility;
  readonly canceller: QueuedJobCanceller;
}

const READ = { area: 'Jobs', callers: JOB_CALLERS } as const;
const NOT_FOUND = { 404: 'There is no such job, or the caller cannot see it.' };
const jobId = z.uuid();

const artifactSchema = z
  .object({ name: z.string(), media_type: z.string(), size_bytes: z.int(), sha256: z.string() })
  .meta({ id: 'JobArtifact' });
const jobSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    status: z.enum(JOB_STATES),
    progress: z.number().describe('Progress from 0 to 1. It never decreases.'),
    step: z.string().nullable().describe('Name of the current step. Each kind of job has its own steps.'),
    subject: z
      .string()
      .optional()
      .describe('Event stream of the resource that the job concerns, as named in the audit log.'),
    created_at: z.string(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    attempt: z.int().describe('Number of attempts so far.'),
    stoppable: z.boolean().describe('Whether a cancellation with `keep_result` can keep the best result so far.'),
    result: z
      .unknown()
      .optional()
      .describe(
        'Result of the job. Its form depends on the kind of the job. If the job was cancelled, `{done}` contains the completed work, which is not undone.',
      ),
    error: z
      .object({ code: z.string(), message: z.string() })
      .meta({ id: 'JobError' })
      .optional()
      .describe('Reason why the job failed, or why the service cancelled the job.'),
    artifacts: z.array(artifactSchema).optional().describe('Files of the job. Lists of jobs do not contain them.'),
  })
  .meta({ id: 'Job' });

export function jobOperations({ store, artifacts, jobs, visibility, canceller }: JobsOptions): Operation[] {
  const { kindOf, viewerOf, hasScope, expectVisible } = visibility;
  const toResponse = (job: StoredJob, { header }: Pick<Context, 'header'>): z.infer<typeof jobSchema> => ({
    id: job.id,
    kind: job.kind,
    status: job.state,
    progress: roundProgress(job.progress),
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
      summary: 'List jobs',
      description:
        'Lists long-running jobs, newest first. Staff see all jobs of their business. Other users see only their own jobs. The list contains only the kinds of jobs that the token may read.',
      rest: { method: 'get', path: '/v1/jobs' },
      input: z.object({ kind: z.string().max(40).optional(), status: z.enum(JOB_STATES).optional(), ...pageInput }),
      output: z.object({ ...pageOutput, jobs: z.array(jobSchema) }),
      async run({ kind, status, ...page }, context) {
        const kindNames = visibility
          .kinds()
          .filter(({ name, scopes }) => (kind ?? name) === name && hasScope(context.caller, scopes.read))
          .map(({ name }) => name);
        const found = await store.list({ kinds: kindNames, state: status, ...rangeOf(page) }, viewerOf(context.caller));
        return { ...pageOf(page, found), jobs: found.jobs.map((job) => toResponse(job, context)) };
      },
    }),

    operation({
      ...READ,
      name: 'job',
      summary: 'Get a job',
      description:
        'Returns the status, progress, result and files of a job. With `wait_s`, the service responds when the job ends, or after `wait_s` seconds at the latest.',
      rest: { method: 'get', path: '/v1/jobs/:job_id' },
      waits: MAX_WAIT_S,
      answers: NOT_FOUND,
      input: z.object({
        job_id: jobId,
        wait_s: z.coerce
          .number()
          .int()
          .min(0)
          .max(MAX_WAIT_S)
          .default(0)
          .describe('Maximum number of seconds to wait for the end of the job.'),
      }),
      output: z.object({ result: z.boolean(), job: jobSchema }),
      async run({ job_id, wait_s }, context) {
        expectVisible(await store.byId(job_id), context.caller);
        const job = expectVisible(await jobs.waitFor(job_id, wait_s), context.caller);
        const files: readonly ArtifactInfo[] = await artifacts.list(job_id);
        const artifactsResponse = files.map(({ size, ...artifact }) => ({ ...artifact, size_bytes: size }));
        return { result: true, job: { ...toResponse(job, context), artifacts: artifactsResponse } };
      },
    }),

    operation({
      ...READ,
      callers: ['client_admin', 'employee', 'broker', 'driver', 'customer'],
      name: 'jobCancel',
      returns: { read: 'job' },
      summary: 'Cancel a job',
      description:
        'A queued job ends immediately. A running job ends within about two seconds. Completed work is not undone. Kinds of jobs that process many items report the completed work in `result.done`. With `keep_result`, the job ends and keeps the best result so far. Only `stoppable` jobs support `keep_result`; other jobs respond with `NOT_STOPPABLE`.',
      rest: { method: 'post', path: '/v1/jobs/:job_id/cancel' },
      writes: true,
      risk: 'medium',
      answers: { ...NOT_FOUND, 409: '`NOT_STOPPABLE`: jobs of this kind cannot keep a partial result.' },
      input: z.object({
        job_id: jobId,
        keep_result: z.boolean().default(false).describe('Whether the job keeps its best result so far.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ job_id, keep_result }, { caller, cause }) {
        const job = expectVisible(await store.byId(job_id), caller);
        const kind = kindOf(job.kind)!;
        if (!hasScope(caller, kind.scopes.write)) throw new ApiError('FORBIDDEN');
        if (keep_result && !kind.stoppable) throw new ApiError('NOT_STOPPABLE');
        if (cause.dryRun) return { result: true };
        if (keep_result || !(await canceller.cancel(job_id))) await store.wish(job_id, keep_result ? 'stop' : 'cancel');
        return { result: true };
      },
    }),

    operation({
      ...READ,
      name: 'jobArtifact',
      summary: 'Download a file of a job',
      description: 'Returns the content of one file. The response of `job` lists the files of a job in `artifacts`.',
      rest: { method: 'get', path: '/v1/jobs/:job_id/artifacts/:name', produces: 'application/octet-stream' },
      answers: NOT_FOUND,
      input: z.object({ job_id: jobId, name: z.string().regex(/^[a-z0-9_.-]{1,60}$/) }),
      output: z.unknown(),
      async run({ job_id, name }, { caller }) {
        expectVisible(await store.byId(job_id), caller);
        const found = await artifacts.get(job_id, name).catch((cause: unknown) => {
          throw cause instanceof ArtifactDamaged ? new ApiError('ARTIFACT_DAMAGED', { cause }) : cause;
        });
        if (!found) throw new ApiError('ARTIFACT_NOT_FOUND');
        return { body: found.content, mediaType: found.media_type, headers: attachment(name) };
      },
    }),
  ];
}
