/** One decision at a time on an order or a route, whichever process carries it out. */
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';

export type DispatchClaims = ReturnType<typeof createDispatchClaims>;

/** A claim lasts `leaseSeconds`, which is longer than the longest response. */
export function createDispatchClaims(pool: Pool, { leaseSeconds }: Pick<TimeLimits, 'leaseSeconds'>) {
  return {
    /** False while another decision has the subject. A decision may claim again what it has. */
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
    /** Deletes claims that were left over. */
    async sweep(): Promise<void> {
      await pool.query('delete from access.dispatch_claims where until < now()');
    },
  };
}
