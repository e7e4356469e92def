/** Jobs: long work of all areas. Jobs are queued durably, and processes with the role `worker` execute them. */
import { JOB_EXAMPLES } from '../api/areas/jobs/examples.js';
import { jobFeed } from '../api/areas/jobs/feed.js';
import { jobOperations } from '../api/areas/jobs/operations.js';
import { createQueuedEnding } from '../api/areas/jobs/ending.js';
import { createJobMeter } from '../api/areas/jobs/meter.js';
import { createJobs } from '../api/areas/jobs/queue.js';
import { createJobSight } from '../api/areas/jobs/sight.js';
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
    const worker = { nudge: () => {} };
    const sight = createJobSight(jobKinds);
    const jobs = createJobs(store, sight.kindOf, () => worker.nudge());
    const ending = createQueuedEnding({ store, artifacts, handle: handle(decider) }, sight.kindOf);
    const meter = createJobMeter(metrics.registry, () => countJobs(pool));
    return { store, artifacts, worker, jobs, sight, ending, meter };
  },
  operations: ({ store, artifacts, jobs, sight, ending }) => jobOperations({ store, artifacts, jobs, sight, ending }),
  feeds: ({ store, jobs, sight }) => [jobFeed({ store, jobs, sight })],
  longWork({ store, artifacts, worker, meter }, { handle, jobKinds, config, logger }) {
    const started = startJobWorker({
      store,
      artifacts,
      handle: handle(decider),
      kinds: jobKinds(),
      slots: config.worker.slots,
      meter,
      onError: (error, job) => logger.error({ job, err: error }, 'a job is not done yet'),
    });
    worker.nudge = started.nudge;
    return [() => started.stop()];
  },
  // Erasing the keys makes files and work unreadable. Jobs of erased subjects that still wait are recorded as ended.
  forget:
    ({ ending }) =>
    () =>
      ending.forget(),
  sweep: ({ store, artifacts, ending }) => Promise.all([store.sweep(), artifacts.sweep(), ending.forget()]),
});
