/** Queued batches of orders: a table, with the work encrypted until it is done. */
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';
import type { Vault } from '../vault.js';

/** Retention of results. */
const RETENTION_DAYS = 30;

export interface StoredBatch<R> {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'done';
  readonly total: number;
  readonly queued_at: string;
  readonly finished_at: string | null;
  readonly results: readonly R[];
}

export interface ClaimedBatch<W, R> {
  readonly id: string;
  readonly total: number;
  /** Undefined: deleted, because a person that it named was erased. */
  readonly work: W | undefined;
  readonly results: readonly R[];
}

export interface QueuedBatch<W> {
  readonly total: number;
  readonly work: W;
  readonly subjects: readonly string[];
}

/** `W`: the work, `R`: one result; both JSON. */
export interface OrderBatchStore<W, R> {
  /**
   * Queues a batch; the same id again has no effect. `subjects`: key subjects of the persons that the work names. Their
   * erasure deletes the work.
   */
  queue(id: string, business: number, batch: QueuedBatch<W>): Promise<void>;
  byId(id: string, business: number): Promise<StoredBatch<R> | undefined>;
  /** Claims the oldest batch that no worker holds. */
  claim(worker: string): Promise<ClaimedBatch<W, R> | undefined>;
  /** Stores the results so far. `lost`: another worker holds the batch. `erased`: the rest must not be done. */
  keep(id: string, worker: string, results: readonly R[], done: boolean): Promise<'kept' | 'lost' | 'erased'>;
  /** Deletes old results. */
  sweep(): Promise<number>;
}

/**
 * Other workers take over the batch of a killed worker after `leaseSeconds`. A live worker renews the lease with every
 * step.
 */
export function createOrderBatchStore<W, R>(
  pool: Pool,
  vault: Vault,
  { leaseSeconds }: Pick<TimeLimits, 'leaseSeconds'>,
): OrderBatchStore<W, R> {
  return {
    async queue(id, business, { total, work, subjects }) {
      const sealed = vault.seal(Buffer.from(JSON.stringify(work)), id);
      // Commits synchronously, whatever the pool's setting: a batch whose id was returned must survive a crash.
      await pool.query(
        `insert into access.order_batches (id, business, total, work, subjects) select $1, $2, $3, $4, $5 from set_config('synchronous_commit', 'on', true) on conflict do nothing`,
        [id, business, total, sealed, subjects],
      );
    },
    async byId(id, business) {
      const { rows } = await pool.query<{
        total: number;
        queued_at: Date;
        finished_at: Date | null;
        busy: boolean;
        results: R[];
      }>(
        'select total, queued_at, finished_at, worker is not null as busy, results from access.order_batches where id = $1 and business = $2',
        [id, business],
      );
      const row = rows[0];
      return (
        row && {
          id,
          status: row.finished_at ? 'done' : row.busy ? 'running' : 'queued',
          total: row.total,
          queued_at: row.queued_at.toISOString(),
          finished_at: row.finished_at?.toISOString() ?? null,
          results: row.results,
        }
      );
    },
    async claim(worker) {
      const { rows } = await pool.query<{ id: string; total: number; work: Buffer | null; results: R[] }>(
        `update access.order_batches set worker = $1, busy_until = now() + make_interval(secs => $2)
          where id = (select id from access.order_batches where finished_at is null and (busy_until is null or busy_until < now()) order by queued_at limit 1 for update skip locked)
         returning id, total, work, results`,
        [worker, leaseSeconds],
      );
      const row = rows[0];
      return (
        row && {
          id: row.id,
          total: row.total,
          work: row.work ? (JSON.parse(vault.open(row.work, row.id).toString('utf8')) as W) : undefined,
          results: row.results,
        }
      );
    },
    async keep(id, worker, results, done) {
      const { rows } = await pool.query<{ erased: boolean }>(
        `update access.order_batches set results = $3, busy_until = now() + make_interval(secs => $4), finished_at = case when $5 then now() end, work = case when $5 then null else work end
          where id = $1 and worker = $2 and finished_at is null returning erased`,
        [id, worker, JSON.stringify(results), leaseSeconds, done],
      );
      return !rows[0] ? 'lost' : rows[0].erased ? 'erased' : 'kept';
    },
    async sweep() {
      const { rowCount } = await pool.query(
        'delete from access.order_batches where finished_at < now() - make_interval(days => $1)',
        [RETENTION_DAYS],
      );
      return rowCount ?? 0;
    },
  };
}
