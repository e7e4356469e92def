/**
 * Failed sign-ins. An account is locked only for the network that failed, so that attackers cannot lock out other
 * users. A network that fails at many accounts must wait, whatever the accounts.
 */
import type { Pool } from 'pg';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { BlindIndex } from '../blind-index.js';
import { networkOf } from '../network-of.js';
import type { SharedCounts } from './shared-counts.js';

/** Consecutive failures of one network at one account without a lock. */
const FREE_FAILURES = 5;
/** Duration of the first lock; each additional failure doubles it. */
const FIRST_LOCK_SECONDS = 2;
const MAX_LOCK_SECONDS = 900;
/** Failures expire after this time. */
const MEMORY_HOURS = 24;
/**
 * Limit for the failures of one network at all accounts. An office stays below it; an attacker that tries lists of
 * accounts does not.
 */
const SPRAYED = { points: 60, duration: 600 } as const;

export interface Attempt {
  /**
   * Seconds until the next attempt is allowed. 0: the attempt is allowed, and counts as failed until `succeeded` is
   * called.
   */
  readonly wait: number;
  failed(): Promise<void>;
  succeeded(): Promise<void>;
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(pool: Pool, index: BlindIndex, counts: Pick<SharedCounts, 'join'>) {
  const sprayed = new RateLimiterMemory(SPRAYED);
  const perSecond = SPRAYED.points / SPRAYED.duration;
  const count = counts.join('sprayed', perSecond, (network, otherCount) => void sprayed.penalty(network, otherCount));
  return {
    /** `what`: the account whose password is tried. `from`: the caller's address. */
    async begin(what: string, from: string): Promise<Attempt> {
      const network = networkOf(from);
      const spent = await sprayed.get(network);
      const blocked = spent && spent.consumedPoints >= SPRAYED.points ? Math.ceil(spent.msBeforeNext / 1_000) : 0;
      const key = index(`${what}\n${network}`);
      return {
        wait: blocked > 0 ? blocked : await countFailure(pool, key),
        async failed() {
          await sprayed.consume(network).catch(() => undefined);
          count(network, 1);
        },
        succeeded: async () => void (await pool.query('delete from access.attempts where subject = $1', [key])),
      };
    },
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.attempts where last_at < now() - make_interval(hours => $1)',
        [MEMORY_HOURS],
      );
      return rowCount ?? 0;
    },
  };
}

/**
 * Counts the attempt as a failure until it succeeds. Returns the seconds to wait while the account is locked; attempts
 * during a lock are not counted.
 */
async function countFailure(pool: Pool, subject: Buffer): Promise<number> {
  const { rows } = await pool.query<{ wait: number }>(
    `with before as (select failures, locked_until from access.attempts where subject = $1),
          counted as (
            insert into access.attempts as a (subject, failures) values ($1, 1)
            on conflict (subject) do update set
              failures = case when a.last_at < now() - make_interval(hours => $5) then 1 else a.failures + 1 end, last_at = now(),
              locked_until = case when a.failures + 1 >= $2 then now() + make_interval(secs => least($4, $3 * power(2, least(a.failures + 1 - $2, 20)))) end
            where a.locked_until is null or a.locked_until <= now()
            returning 0 as wait)
     select wait from counted
     union all
     select ceil(extract(epoch from locked_until - now()))::int from before where locked_until > now() and not exists (select from counted)`,
    [subject, FREE_FAILURES, FIRST_LOCK_SECONDS, MAX_LOCK_SECONDS, MEMORY_HOURS],
  );
  // No row: a concurrent attempt has just locked it.
  return rows[0]?.wait ?? FIRST_LOCK_SECONDS;
}
