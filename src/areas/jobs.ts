/** Jobs: long work of all areas. Jobs are queued durably, and processes with the role `worker` execute them. */
import { JOB_EXAMPLES } from '../api/areas/jobs/examples.js';
import { jobFeed } from '../api/areas/jobs/feed.js';
import { jobOperations } from '../api/areas/jobs/operations.js';
import { createQueuedJobCanceller } from '../api/areas/jobs/conclusion.js';
import { createJobMetrics } from '../api/areas/jobs/metrics.js';
import { createJobs } from '../api/areas/jobs/queue.js';
import { createJobVisibility } from '../api/areas/jobs/visibility.js';
import { startJobWorker } from '../api/areas/jobs/worker.js';
import { jobs as decider } from '../commands/jobs/decider.js';
import { createJobArtifacts } from '../engines/postgres/job-artifacts.js';
import { createJobStore } from '../engines/postgres/jobs.js';
import { countJobs } from '../engines/postgres/waiting-jobs.js';
import { JOB_EVENTS, JOB_PREFIX } from '../events/jobs/events.js';
import { jobEnds } from '../projections/jobs/read-model.js';
import { area } from './area.js';

export const jobs = area({
  name: 'jobs',
  examples: JOB_EXAMPLES,
  streams: [{ prefix: JOB_PREFIX, events: JOB_EVENTS, tenant: 'business' }],
  readModels: [jobEnds],
  errors: {
    JOB_NOT_FOUND: 404,
    ARTIFACT_NOT_FOUND: 404,
    ARTIFACT_DAMAGED: 500,
    NOT_STOPPABLE: 409,
    TOO_MANY_JOBS: 429,
    SUBJECT_ERASED: 410,
    JOB_CRASHED: 500,
  },
  services({ engines: { pool, jobVault, limits }, handle, jobKinds, metrics }) {
    const store = createJobStore(pool, jobVault, limits);
    const artifacts = createJobArtifacts(pool, jobVault);
    // Wakes the worker of this process, if it has one, so that it does not wait for its next poll.
    const worker = { wake: () => {} };
    const visibility = createJobVisibility(jobKinds);
    const jobs = createJobs(store, visibility.kindOf, () => worker.wake());
    const canceller = createQueuedJobCanceller({ store, artifacts, handle: handle(decider) }, visibility.kindOf);
    const jobMetrics = createJobMetrics(metrics.registry, () => countJobs(pool));
    return { store, artifacts, worker, jobs, visibility, canceller, jobMetrics };
  },
  operations: ({ store, artifacts, jobs, visibility, canceller }) =>
    jobOperations({ store, artifacts, jobs, visibility, canceller }),
  feeds: ({ store, jobs, visibility }) => [jobFeed({ store, jobs, visibility })],
  longWork({ store, artifacts, worker, jobMetrics }, { handle, jobKinds, config, logger }) {
    const started = startJobWorker({
      store,
      artifacts,
      handle: handle(decider),
      kinds: jobKinds(),
      slots: config.worker.slots,
      jobMetrics,
      onError: (error, job) => logger.error({ job, err: error }, 'a job is not done yet'),
    });
    worker.wake = started.wake;
    return [() => started.stop()];
  },
  // Erasing the keys makes files and work unreadable. Jobs of erased subjects that still wait are recorded as ended.
  forget:
    ({ canceller }) =>
    () =>
      canceller.forget(),
  sweep: ({ store, artifacts, canceller }) => Promise.all([store.sweep(), artifacts.sweep(), canceller.forget()]),
});
