/**
 * Long-running work in a table: any live worker takes the next job and holds it with a lease. Each write names its
 * worker, so a worker that lost the lease cannot write.
 */
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { asInstant, firstOf, KEY, valuesAfter, type ListKey } from '../../sql/page-key.js';
import type { Vault } from '../vault.js';
import type { ClaimedJob, JobEnd, JobStore, StoredJob } from './job-store.js';
import { inTransaction } from './transaction.js';

export * from './job-store.js';

/** Limits per business. */
const MAX_RUNNING = 4;
const MAX_QUEUED = 200;
/** Retention of results. */
const RETENTION_DAYS = 30;

const COLUMNS =
  'id, kind, business, owner, subject, long, state, progress, step, result, error, attempt, wish, erased, done, ending, created_at, started_at, finished_at, version, progress_version, states';

// Commits synchronously, whatever the pool's setting: a job whose id was returned must survive a crash.
const PUT = `with put as (
    insert into access.jobs (id, kind, business, owner, subject, work, subjects, long)
    select $1, $2, $3, $4, $5, $6, $9, $10 from set_config('synchronous_commit', 'on', true)
     where (select count(*) from access.jobs where business = $3 and state = 'queued') < $7
       and ($8::int is null or
            (select count(*) from access.jobs where business = $3 and kind = $2 and state in ('queued', 'running')) < $8)
    on conflict do nothing returning 1)
  select exists (select from put) or exists (select from access.jobs where id = $1) as there`;

const NEWEST: ListKey = { columns: { at: KEY.instant, id: KEY.uuid }, descending: true };

/** Other workers take over the job of a killed worker after `leaseSeconds`. */
export function createJobStore(pool: Pool, vault: Vault, { leaseSeconds }: Pick<TimeLimits, 'leaseSeconds'>): JobStore {
  async function byIds(ids: readonly string[]): Promise<readonly StoredJob[]> {
    const { rows } = await pool.query<StoredJob>(`select ${COLUMNS} from access.jobs where id = any ($1)`, [ids]);
    return rows;
  }
  const opened = (row: (StoredJob & { work: Buffer | null }) | undefined): ClaimedJob | undefined =>
    row && { ...row, work: row.work && (JSON.parse(vault.open(row.work, row.id).toString('utf8')) as unknown) };

  return {
    async queue({ id, kind, business, owner, subject = null, subjects = [], work, long = false, most }) {
      const sealed = vault.seal(Buffer.from(JSON.stringify(work)), id);
      const values = [id, kind, business, owner, subject, sealed, MAX_QUEUED, most ?? null, subjects, long];
      const put = async (on: Pick<Pool, 'query'>): Promise<boolean> =>
        (await on.query<{ there: boolean }>(PUT, values)).rows[0]!.there;
      if (most === undefined) return put(pool);
      // One at a time, so that each sees the jobs that were queued before it.
      return inTransaction(pool, async (client) => {
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`jobs ${kind} ${business}`]);
        return put(client);
      });
    },

    byIds,
    byId: async (id) => (await byIds([id]))[0],

    async list({ kinds, state, offset, limit, after }, { business, owner }) {
      const where = `business = $1 and kind = any ($2) and ($3::text is null or state = $3) and ($4::int is null or owner = $4)`;
      const values = [business, kinds, state ?? null, owner ?? null];
      const counted = await pool.query<{ total: string }>(
        `select count(*) as total from access.jobs where ${where}`,
        values,
      );
      const found = await pool.query<StoredJob & { readonly at: string }>(
        `select ${COLUMNS}, ${asInstant('created_at')} as at from access.jobs
          where ${where} and ($7::timestamptz is null or (created_at, id) < ($7, $8::uuid))
          order by created_at desc, id desc offset $5 limit $6`,
        [...values, after ? 0 : offset, limit + 1, ...valuesAfter(after, NEWEST)],
      );
      const { rows, next } = firstOf(found.rows, { offset, limit, after }, NEWEST);
      return { total: Number(counted.rows[0]!.total), next, jobs: rows.map(({ at: _at, ...job }) => job) };
    },

    async claim(worker, { businesses, long } = { businesses: [], long: false }) {
      const { rows } = await pool.query<StoredJob & { work: Buffer | null }>(
        `with waiting as materialized (
           select id, business, created_at from access.jobs
            where state in ('queued', 'running') and (lease_until is null or lease_until < now())
              and business <> all ($4::int[]) and not (long and $5)
         ), turns as (
           select business, last.started_at,
                  (select count(*) from access.jobs r where r.business = w.business and r.state = 'running' and r.lease_until > now()) as running
             from (select distinct business from waiting) w
             cross join lateral (select max(s.started_at) as started_at from access.jobs s where s.business = w.business) last
         )
         update access.jobs set state = 'running', worker = $1, lease_until = now() + make_interval(secs => $2),
                attempt = attempt + 1, started_at = coalesce(started_at, now())
          where id = (select j.id from access.jobs j join waiting using (id) join turns t on t.business = j.business
                       where j.state in ('queued', 'running') and (j.lease_until is null or j.lease_until < now()) and t.running < $3
                       order by t.running, t.started_at nulls first, j.created_at limit 1 for update of j skip locked)
         returning work, ${COLUMNS}`,
        [worker, leaseSeconds, MAX_RUNNING, businesses, long],
      );
      return opened(rows[0]);
    },

    async renew(id, worker, { progress, step, done }) {
      const { rows } = await pool.query<Pick<StoredJob, 'wish' | 'erased'>>(
        `update access.jobs set lease_until = now() + make_interval(secs => $3), progress = greatest(progress, $4), step = coalesce($5, step), done = coalesce($6, done)
          where id = $1 and worker = $2 and state = 'running' returning wish, erased`,
        [id, worker, leaseSeconds, progress, step, done === undefined ? null : JSON.stringify(done)],
      );
      return rows[0];
    },

    async decide(id, worker, end) {
      const { rowCount } = await pool.query(
        `update access.jobs set ending = $3 where id = $1 and worker = $2 and state = 'running' and ending is null`,
        [id, worker, JSON.stringify(end)],
      );
      return rowCount === 1;
    },

    async take(id, worker, error) {
      const end: JobEnd = { state: 'cancelled', ...(error && { error }) };
      // The job stays queued until it is ended: if this process dies in between, a worker completes the end after the
      // lease has expired.
      const { rows } = await pool.query<StoredJob & { work: Buffer | null }>(
        `update access.jobs set worker = $2, lease_until = now() + make_interval(secs => $3),
                ending = $4::jsonb || case when done is null then '{}' else jsonb_build_object('done', done) end
          where id = $1 and state = 'queued' and worker is null returning work, ${COLUMNS}`,
        [id, worker, leaseSeconds, JSON.stringify(end)],
      );
      return opened(rows[0]);
    },

    async end(id, worker) {
      const { rowCount } = await pool.query(
        `update access.jobs set state = ending ->> 'state', error = ending -> 'error', ending = null, done = null, work = null, worker = null,
                lease_until = null, finished_at = now(), progress = case when ending ->> 'state' = 'succeeded' then 1 else progress end,
                result = case when ending ->> 'state' = 'succeeded' then ending -> 'result' when ending ? 'done' then jsonb_build_object('done', ending -> 'done') end
          where id = $1 and worker = $2 and state in ('queued', 'running') and ending is not null`,
        [id, worker],
      );
      return rowCount === 1;
    },

    async wish(id, wish) {
      await pool.query(
        `update access.jobs set wish = $2 where id = $1 and state in ('queued', 'running') and wish is distinct from 'cancel'`,
        [id, wish],
      );
    },

    async waitingErased() {
      const { rows } = await pool.query<{ id: string }>(
        `select id from access.jobs where state = 'queued' and erased and worker is null`,
      );
      return rows.map(({ id }) => id);
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
        [RETENTION_DAYS],
      );
      return rowCount ?? 0;
    },
  };
}
