/** Metrics of jobs at /metrics. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { JobEnd } from '../../../engines/postgres/jobs.js';

export type JobMetrics = ReturnType<typeof createJobMetrics>;

/** `count` returns the unfinished jobs of all processes. Jobs, section 6. */
export function createJobMetrics(
  registry: Registry,
  count: () => Promise<{ readonly queued: number; readonly running: number }>,
) {
  const registers = [registry];
  new Gauge({
    name: 'jobs',
    help: 'Unfinished jobs of all processes; NaN if the database does not respond.',
    labelNames: ['state'],
    registers,
    async collect() {
      const { queued, running } = await count().catch(() => ({ queued: Number.NaN, running: Number.NaN }));
      this.set({ state: 'queued' }, queued);
      this.set({ state: 'running' }, running);
    },
  });
  const seconds = new Histogram({
    name: 'job_seconds',
    help: 'Duration of the attempt that ended the job.',
    labelNames: ['kind'],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600],
    registers,
  });
  const failed = new Counter({
    name: 'jobs_failed_total',
    help: 'Failed jobs, by error code.',
    labelNames: ['kind', 'code'],
    registers,
  });
  const lost = new Counter({
    name: 'job_leases_lost_total',
    help: 'Jobs that another process took over because this process stalled.',
    registers,
  });
  return {
    /** Records that a job of this kind ended in this process. `durationS`: seconds of this attempt. */
    ended(kind: string, end: JobEnd, durationS: number): void {
      seconds.observe({ kind }, durationS);
      if (end.state === 'failed') failed.inc({ kind, code: end.error.code });
    },
    /** Records that another process took over a job. */
    leaseLost: (): void => lost.inc(),
  };
}
