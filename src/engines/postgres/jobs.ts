/**
 * Long work, as a table: any live worker takes the next job, and holds it by a lease. Each write of a worker names it,
 * so a worker that lost the lease writes nothing.
 */
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];
/** `stop`: end now, and keep the best so far. */
export type JobWish = 'cancel' | 'stop';

export interface NewJob {
  /** UUID that follows from the command: the same again changes nothing. */
  readonly id: string;
  readonly kind: string;
  readonly business: number;
  /** User id. */
  readonly owner: number;
  /** The stream that it speaks of. */
  readonly subject?: string;
  /** JSON. */
  readonly work: unknown;
}

export interface StoredJob {
  readonly id: string;
  readonly kind: string;
  readonly business: number;
  readonly owner: number;
  readonly subject: string | null;
  readonly state: JobState;
  /** 0 to 1, never falling. */
  readonly progress: number;
  readonly step: string | null;
  readonly result: unknown;
  readonly error: JobError | null;
  readonly attempt: number;
  readonly wish: JobWish | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export interface JobError {
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** How a job ended. */
export type JobEnd =
  | { readonly state: 'succeeded'; readonly result: unknown }
  | { readonly state: 'failed'; readonly error: JobError }
  | { readonly state: 'cancelled' };

export interface ClaimedJob extends StoredJob {
  readonly work: unknown;
}

/** Whose jobs: a business's, and of it only those of this user where one is given. */
export interface JobViewer {
  readonly business: number;
  readonly owner?: number;
}

export interface JobFilter {
  readonly kinds: readonly string[];
  readonly state?: JobState | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface JobStore {
  /** Durable when it resolves. False: the business has too many queued. */
  queue(job: NewJob): Promise<boolean>;
  byId(id: string): Promise<StoredJob | undefined>;
  /** Newest first. */
  list(filter: JobFilter, viewer: JobViewer): Promise<{ readonly total: number; readonly jobs: readonly StoredJob[] }>;
  /** The next job that nobody works on: of the business with the fewest running, of these the one whose turn is longest ago. */
  claim(worker: string): Promise<ClaimedJob | undefined>;
  /** Keeps the lease and the progress. Undefined: somebody else has the job by now. */
  renew(
    id: string,
    worker: string,
    progress: number,
    step: string | null,
  ): Promise<{ wish: JobWish | null } | undefined>;
  /** False: somebody else has the job by now. */
  end(id: string, worker: string, end: JobEnd): Promise<boolean>;
  /** Asks for an end; a job that waits is ended by it. */
  wish(id: string, wish: JobWish): Promise<void>;
  /** Gives back what a worker that ends has begun. */
  release(worker: string): Promise<void>;
  /** Forgets old jobs. */
  sweep(): Promise<number>;
}

/** A worker that dies leaves its job to others after this. */
const LEASE_SECONDS = 30;
/** Of one business at once. */
const MOST_RUNNING = 4;
const MOST_QUEUED = 200;
/** How long results can be asked for. */
const KEPT_DAYS = 30;

const COLUMNS =
  'id, kind, business, owner, subject, state, progress, step, result, error, attempt, wish, created_at, started_at, finished_at';

export function createJobStore(pool: Pool, vault: Vault): JobStore {
  return {
    async queue({ id, kind, business, owner, subject = null, work }) {
      const sealed = vault.seal(Buffer.from(JSON.stringify(work)), id);
      // Whatever the pool says: what was answered with an id must be there after a crash.
      const { rows } = await pool.query<{ there: boolean }>(
        `with put as (
           insert into access.jobs (id, kind, business, owner, subject, work)
           select $1, $2, $3, $4, $5, $6 from set_config('synchronous_commit', 'on', true)
            where (select count(*) from access.jobs where business = $3 and state = 'queued') < $7
           on conflict do nothing returning 1)
         select exists (select from put) or exists (select from access.jobs where id = $1) as there`,
        [id, kind, business, owner, subject, sealed, MOST_QUEUED],
      );
      return rows[0]!.there;
    },

    async byId(id) {
      const { rows } = await pool.query<StoredJob>(`select ${COLUMNS} from access.jobs where id = $1`, [id]);
      return rows[0];
    },

    async list({ kinds, state, offset, limit }, { business, owner }) {
      const where = `business = $1 and kind = any ($2) and ($3::text is null or state = $3) and ($4::int is null or owner = $4)`;
      const values = [business, kinds, state ?? null, owner ?? null];
      const counted = await pool.query<{ total: string }>(
        `select count(*) as total from access.jobs where ${where}`,
        values,
      );
      const { rows } = await pool.query<StoredJob>(
        `select ${COLUMNS} from access.jobs where ${where} order by created_at desc, id offset $5 limit $6`,
        [...values, offset, limit],
      );
      return { total: Number(counted.rows[0]!.total), jobs: rows };
    },

    async claim(worker) {
      const { rows } = await pool.query<StoredJob & { work: Buffer }>(
        `with waiting as materialized (
           select id, business, created_at from access.jobs
            where state = 'queued' or (state = 'running' and lease_until < now())
         ), turns as (
           select business, last.started_at,
                  (select count(*) from access.jobs r where r.business = w.business and r.state = 'running' and r.lease_until > now()) as running
             from (select distinct business from waiting) w
             cross join lateral (select max(s.started_at) as started_at from access.jobs s where s.business = w.business) last
         )
         update access.jobs set state = 'running', worker = $1, lease_until = now() + make_interval(secs => $2),
                attempt = attempt + 1, started_at = coalesce(started_at, now())
          where id = (select j.id from access.jobs j join waiting using (id) join turns t on t.business = j.business
                       where (j.state = 'queued' or (j.state = 'running' and j.lease_until < now())) and t.running < $3
                       order by t.running, t.started_at nulls first, j.created_at limit 1 for update of j skip locked)
         returning work, ${COLUMNS}`,
        [worker, LEASE_SECONDS, MOST_RUNNING],
      );
      const row = rows[0];
      return row && { ...row, work: JSON.parse(vault.open(row.work, row.id).toString('utf8')) as unknown };
    },

    async renew(id, worker, progress, step) {
      const { rows } = await pool.query<{ wish: JobWish | null }>(
        `update access.jobs set lease_until = now() + make_interval(secs => $3), progress = greatest(progress, $4), step = coalesce($5, step)
          where id = $1 and worker = $2 and state = 'running' returning wish`,
        [id, worker, LEASE_SECONDS, progress, step],
      );
      return rows[0];
    },

    async end(id, worker, end) {
      const { rowCount } = await pool.query(
        `update access.jobs set state = $3, result = $4, error = $5, work = null, worker = null, lease_until = null, finished_at = now(),
                progress = case when $3 = 'succeeded' then 1 else progress end
          where id = $1 and worker = $2 and state = 'running'`,
        [
          id,
          worker,
          end.state,
          end.state === 'succeeded' ? JSON.stringify(end.result ?? null) : null,
          end.state === 'failed' ? JSON.stringify(end.error) : null,
        ],
      );
      return rowCount === 1;
    },

    async wish(id, wish) {
      // Who waits for a worker is cancelled by one as well: the fact that it ended is written before the row says so.
      await pool.query(
        `update access.jobs set wish = $2 where id = $1 and state in ('queued', 'running') and wish is distinct from 'cancel'`,
        [id, wish],
      );
    },

    async release(worker) {
      await pool.query(
        `update access.jobs set state = 'queued', worker = null, lease_until = null, attempt = attempt - 1 where worker = $1 and state = 'running'`,
        [worker],
      );
    },

    async sweep() {
      const { rowCount } = await pool.query(
        'delete from access.jobs where finished_at < now() - make_interval(days => $1)',
        [KEPT_DAYS],
      );
      return rowCount ?? 0;
    },
  };
}
