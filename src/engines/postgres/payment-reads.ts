/** Which card payments are read at the provider, and when. */
import type { ClientBase, Pool } from 'pg';

/** A payment that one worker reads. */
export interface ClaimedRead {
  readonly topUpId: number;
  readonly stream: string;
  readonly begunAt: Date;
  /** Number of reads that have ended. */
  readonly reads: number;
}

export type PaymentReads = ReturnType<typeof createPaymentReads>;

export function createPaymentReads(pool: Pool) {
  return {
    /**
     * Adds payments in the transaction of `db`, due after `afterMs`. The reads of a known payment begin again, because
     * something new can be expected.
     */
    async add(
      db: ClientBase,
      payments: readonly { readonly topUpId: number; readonly stream: string }[],
      afterMs: number,
    ): Promise<void> {
      await db.query(
        `insert into access.payment_reads as known (top_up_id, stream, next_at)
         select distinct on (id) id, stream, now() + make_interval(secs => $3 / 1000.0) from unnest($1::int[], $2::text[]) added (id, stream)
         on conflict (top_up_id) do update
           set begun_at = now(), reads = 0, next_at = least(known.next_at, excluded.next_at), worker = null, busy_until = null`,
        [payments.map(({ topUpId }) => topUpId), payments.map(({ stream }) => stream), afterMs],
      );
    },

    /** Claims due payments, the longest due first. */
    async claimDue(worker: string, limit: number, claimMs: number): Promise<readonly ClaimedRead[]> {
      const { rows } = await pool.query<ClaimedRead>({
        name: 'payment-reads-claim',
        text: `with due as (select top_up_id from access.payment_reads where next_at <= now() and (busy_until is null or busy_until < now()) order by next_at limit $2 for update skip locked)
               update access.payment_reads p set worker = $1, busy_until = now() + make_interval(secs => $3 / 1000.0)
                 from due where p.top_up_id = due.top_up_id
               returning p.top_up_id as "topUpId", p.stream, p.begun_at as "begunAt", p.reads`,
        values: [worker, limit, claimMs],
      });
      return rows;
    },

    /** Ends the claim: the next read is due after `afterMs`; undefined: there is none. */
    async ended(topUpId: number, worker: string, afterMs: number | undefined): Promise<void> {
      await pool.query(
        afterMs === undefined
          ? 'delete from access.payment_reads where top_up_id = $1 and worker = $2'
          : `update access.payment_reads set next_at = now() + make_interval(secs => $3 / 1000.0), reads = reads + 1, worker = null, busy_until = null
              where top_up_id = $1 and worker = $2`,
        afterMs === undefined ? [topUpId, worker] : [topUpId, worker, afterMs],
      );
    },
  };
}
