/** Ensures that only one decision at a time changes an order or a route, across all processes. */
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';

export type DispatchClaims = ReturnType<typeof createDispatchClaims>;

/** A claim expires after `leaseSeconds`, which is longer than the response timeout. */
export function createDispatchClaims(pool: Pool, { leaseSeconds }: Pick<TimeLimits, 'leaseSeconds'>) {
  return {
    /** Returns false while another decision holds the subject. A decision may renew its own claim. */
    async take(subject: string, decision: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `insert into access.dispatch_claims as c (subject, decision, until) values ($1, $2, now() + make_interval(secs => $3))
         on conflict (subject) do update set decision = excluded.decision, until = excluded.until
           where c.until < now() or c.decision = excluded.decision`,
        [subject, decision, leaseSeconds],
      );
      return rowCount === 1;
    },
    async release(subject: string, decision: string): Promise<void> {
      await pool.query('delete from access.dispatch_claims where subject = $1 and decision = $2', [subject, decision]);
    },
    /** Deletes expired claims. */
    async sweep(): Promise<void> {
      await pool.query('delete from access.dispatch_claims where until < now()');
    },
  };
}
