/** Queued batches of orders: a table, with the work encrypted until it is done. */
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

/** A worker that dies leaves its batch to others after this; a live one renews with every step. Seconds. */
const BUSY_SECONDS = 30;
/** How long results can be asked for. */
const KEPT_DAYS = 30;

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
  readonly work: W;
  readonly results: readonly R[];
}

/** `W`: the work, `R`: one result; both JSON. */
export interface OrderBatchStore<W, R> {
  /** The same id again changes nothing. */
  queue(id: string, business: number, total: number, work: W): Promise<void>;
  byId(id: string, business: number): Promise<StoredBatch<R> | undefined>;
  /** The oldest batch that nobody works on. */
  claim(worker: string): Promise<ClaimedBatch<W, R> | undefined>;
  /** Keeps the results so far; false when another worker has the batch by now. */
  keep(id: string, worker: string, results: readonly R[], done: boolean): Promise<boolean>;
  /** Forgets old results. */
  sweep(): Promise<number>;
}

export function createOrderBatchStore<W, R>(pool: Pool, vault: Vault): OrderBatchStore<W, R> {
  return {
    async queue(id, business, total, work) {
      const sealed = vault.seal(Buffer.from(JSON.stringify(work)), id);
      // Whatever the pool says: what was answered with an id must be there after a crash.
      await pool.query(
        `insert into access.order_batches (id, business, total, work) select $1, $2, $3, $4 from set_config('synchronous_commit', 'on', true) on conflict do nothing`,
        [id, business, total, sealed],
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
      const { rows } = await pool.query<{ id: string; work: Buffer; results: R[] }>(
        `update access.order_batches set worker = $1, busy_until = now() + make_interval(secs => $2)
          where id = (select id from access.order_batches where finished_at is null and (busy_until is null or busy_until < now()) order by queued_at limit 1 for update skip locked)
         returning id, work, results`,
        [worker, BUSY_SECONDS],
      );
      const row = rows[0];
      return (
        row && {
          id: row.id,
          work: JSON.parse(vault.open(row.work, row.id).toString('utf8')) as W,
          results: row.results,
        }
      );
    },
    async keep(id, worker, results, done) {
      const { rowCount } = await pool.query(
        `update access.order_batches set results = $3, busy_until = now() + make_interval(secs => $4), finished_at = case when $5 then now() end, work = case when $5 then null else work end
          where id = $1 and worker = $2 and finished_at is null`,
        [id, worker, JSON.stringify(results), BUSY_SECONDS, done],
      );
      return rowCount === 1;
    },
    async sweep() {
      const { rowCount } = await pool.query(
        'delete from access.order_batches where finished_at < now() - make_interval(days => $1)',
        [KEPT_DAYS],
      );
      return rowCount ?? 0;
    },
  };
}
