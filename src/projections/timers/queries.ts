/** Due timers, the processes that handle them, and postponed timers. */
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';
import type { DueTimer } from '../../events/core/timers.js';

export type TimerQueries = ReturnType<typeof createTimerQueries>;

const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 3_600_000;

const PUT_OFF = 'select from access.timers_put_off p where p.stream = t.stream and p.name = t.name and p.at = t.at';

/**
 * A round takes less time than the lease of `timerLeaseSeconds`. If it takes longer, two runners may handle the same
 * timer; their commands have the same id, so only one has an effect.
 */
export function createTimerQueries(pool: Pool, { timerLeaseSeconds }: Pick<TimeLimits, 'timerLeaseSeconds'>) {
  const columnsOf = (timers: readonly DueTimer[]) => [
    timers.map(({ stream }) => stream),
    timers.map(({ name }) => name),
    timers.map(({ at }) => at),
  ];
  const given = 'select * from unnest($1::text[], $2::text[], $3::bigint[]) t (stream, name, at)';
  return {
    /**
     * Takes the ranges that are free, held by `owner` already, or whose lease has expired. Returns all ranges that
     * `owner` holds.
     */
    async takeRanges(owner: string): Promise<readonly number[]> {
      const { rows } = await pool.query<{ range: number }>(
        `with free as (select range from access.timer_ranges
                        where owner = $1 or owner is null or lease_until < now() for update skip locked)
         update access.timer_ranges r set owner = $1, lease_until = now() + make_interval(secs => $2)
           from free where r.range = free.range returning r.range`,
        [owner, timerLeaseSeconds],
      );
      return rows.map(({ range }) => range);
    },
    async releaseRanges(owner: string): Promise<void> {
      await pool.query('update access.timer_ranges set owner = null, lease_until = null where owner = $1', [owner]);
    },
    /** Due timers of the range, oldest first. */
    async due(range: number, now: number, limit: number): Promise<readonly DueTimer[]> {
      const { rows } = await pool.query<{ stream: string; name: string; at: string }>({
        name: 'timers-due',
        text: `select stream, name, at from timers.timers t
                where range = $1 and at <= $2 and not exists (${PUT_OFF} and (p.again_at is null or p.again_at > $2))
                order by at limit $3`,
        values: [range, now, limit],
      });
      return rows.map(({ at, ...timer }) => ({ ...timer, at: Number(at) }));
    },
    /** Removes timers that had no effect on their streams. They are never due again. */
    async ignore(timers: readonly DueTimer[]): Promise<void> {
      if (timers.length === 0) return;
      await pool.query(
        `insert into access.timers_put_off (stream, name, at) ${given}
         on conflict (stream, name, at) do update set again_at = null`,
        columnsOf(timers),
      );
    },
    /** Postpones timers. The delay grows with each attempt. */
    async retry(timers: readonly DueTimer[], now: number): Promise<void> {
      if (timers.length === 0) return;
      await pool.query(
        `insert into access.timers_put_off as p (stream, name, at, again_at)
         select t.*, $4::bigint + $5::bigint from (${given}) t
         on conflict (stream, name, at) do update
           set tries = p.tries + 1, again_at = $4::bigint + least($6::bigint, $5::bigint * power(2, least(p.tries, 20))::bigint)`,
        [...columnsOf(timers), now, FIRST_PAUSE_MS, MAX_PAUSE_MS],
      );
    },
    /** Number of due timers that are not handled yet, and the delay of the oldest one in milliseconds. */
    async backlog(now: number): Promise<{ readonly due: number; readonly late: number }> {
      const { rows } = await pool.query<{ due: number; first: string | null }>(
        `select count(*)::int as due, min(at) as first from timers.timers t
          where at <= $1 and not exists (${PUT_OFF} and p.again_at is null)`,
        [now],
      );
      const { due, first } = rows[0]!;
      return { due, late: first === null ? 0 : now - Number(first) };
    },
    /** Deletes records of postponed timers that no longer exist. */
    async sweep(): Promise<void> {
      await pool.query(
        `delete from access.timers_put_off p
          where not exists (select from timers.timers t where t.stream = p.stream and t.name = p.name and t.at = p.at)`,
      );
    },
  };
}
