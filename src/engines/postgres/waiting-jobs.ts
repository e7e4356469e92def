/** Queue state of the jobs of all businesses, for monitoring. */
import type { Pool } from 'pg';

/** A job starts immediately if a worker is free; a job that is queued for longer lacks a worker. */
const STALLED_SECONDS = 60;

/** Whether a job has been queued for a minute while no process works on any job. Jobs, section 6. */
export async function areJobsStalled(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ stalled: boolean }>(
    `select exists (select from access.jobs where state = 'queued' and created_at < now() - make_interval(secs => $1))
        and not exists (select from access.jobs where lease_until > now()) as stalled`,
    [STALLED_SECONDS],
  );
  return rows[0]!.stalled;
}

/** Counts jobs that have not ended. */
export async function countJobs(pool: Pool): Promise<{ readonly queued: number; readonly running: number }> {
  const { rows } = await pool.query<{ queued: number; running: number }>(
    `select count(*) filter (where state = 'queued')::int as queued, count(*) filter (where state = 'running')::int as running
       from access.jobs where state in ('queued', 'running')`,
  );
  return rows[0]!;
}
