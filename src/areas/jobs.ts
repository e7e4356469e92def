/** Jobs: long work of all areas, queued durably and done by processes of the role `worker`. */
import { JOB_EXAMPLES } from '../api/areas/jobs/examples.js';
import { JOB_MESSAGES } from '../api/areas/jobs/messages.js';
import { jobOperations } from '../api/areas/jobs/operations.js';
import { createJobs } from '../api/areas/jobs/queue.js';
import { startJobWorker } from '../api/areas/jobs/worker.js';
import { jobs as decider } from '../commands/jobs/decider.js';
import { createJobArtifacts } from '../engines/postgres/job-artifacts.js';
import { createJobStore } from '../engines/postgres/jobs.js';
import { JOB_EVENTS, JOB_PREFIX } from '../events/jobs/events.js';
import { jobEnds } from '../projections/jobs/read-model.js';
import { area } from './area.js';

export const jobs = area({
  name: 'jobs',
  examples: JOB_EXAMPLES,
  streams: [{ prefix: JOB_PREFIX, events: JOB_EVENTS, tenant: 'business' }],
  readModels: [jobEnds],
  messages: JOB_MESSAGES,
  services({ engines: { pool, jobVault } }) {
    const store = createJobStore(pool, jobVault);
    const artifacts = createJobArtifacts(pool, jobVault);
    // The worker, where this process has one, need not wait for its next look.
    const worker = { nudge: () => {} };
    return { store, artifacts, worker, jobs: createJobs(store, () => worker.nudge()) };
  },
  operations: ({ store, artifacts, jobs }, { jobKinds }) => jobOperations({ store, artifacts, jobs, kinds: jobKinds }),
  longWork({ store, artifacts, worker }, { handle, jobKinds, config, logger }) {
    const started = startJobWorker({
      store,
      artifacts,
      handle: handle(decider),
      kinds: jobKinds(),
      slots: config.worker.slots,
      onError: (error, job) => logger.error({ job, err: error }, 'a job is not done yet'),
    });
    worker.nudge = started.nudge;
    return [() => started.stop()];
  },
  forget:
    ({ artifacts }) =>
    (subjects) =>
      artifacts.forget(subjects),
  sweep: ({ store, artifacts }) => Promise.all([store.sweep(), artifacts.sweep()]),
});
