/** One decision at a time on an order or a route, whichever process carries it out. */
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';

export interface DispatchClaims {
  /** False while another decision has the subject. A decision may claim again what it has. */
  take(subject: string, decision: string): Promise<boolean>;
  release(subject: string, decision: string): Promise<void>;
  /** Deletes claims that were left over. */
  sweep(): Promise<void>;
}

/** A claim lasts `leaseSeconds`, which is longer than the longest response. */
export function createDispatchClaims(pool: Pool, { leaseSeconds }: Pick<TimeLimits, 'leaseSeconds'>): DispatchClaims {
  return {
    async take(subject, decision) {
      const { rowCount } = await pool.query(
        `insert into access.dispatch_claims as c (subject, decision, until) values ($1, $2, now() + make_interval(secs => $3))
         on conflict (subject) do update set decision = excluded.decision, until = excluded.until
           where c.until < now() or c.decision = excluded.decision`,
        [subject, decision, leaseSeconds],
      );
      return rowCount === 1;
    },
    async release(subject, decision) {
      await pool.query('delete from access.dispatch_claims where subject = $1 and decision = $2', [subject, decision]);
    },
    async sweep() {
      await pool.query('delete from access.dispatch_claims where until < now()');
    },
  };
}
