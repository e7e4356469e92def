/**
 * Counts raw statuses that are missing from a provider's mapping. The counts are stored in a table, because no event
 * contains a rejected push. A push does not wait for the count: statuses that arrive while an SQL statement runs are
 * written with the next statement. If a process is killed, its unwritten counts are lost.
 */
import type { Pool } from 'pg';

/** A raw status of a rejected event, and its tracking number. */
export interface Unmapped {
  readonly raw: string;
  readonly tracking_number?: string;
}

export interface UnmappedStatus {
  readonly raw: string;
  /** Number of rejections. */
  readonly count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  /** Tracking number of the latest event that had one. */
  readonly tracking_number: string | null;
}

export type UnmappedStatuses = ReturnType<typeof createUnmappedStatuses>;

/** Maximum number of codes per provider; the most recent ones are kept. */
export const MAX_UNMAPPED = 200;
/** Maximum number of codes in memory. The service does not count more codes, for example from a broken feed. */
const MAX_WAITING = 2_000;

interface Waiting extends Unmapped {
  readonly provider: string;
  seen: number;
}

/** `onError`: called when counting fails; pushes continue. */
export function createUnmappedStatuses(pool: Pool, onError: (error: unknown) => void) {
  let waiting = new Map<string, Waiting>();
  let under: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const rows = [...waiting.values()];
      waiting = new Map();
      await pool.query(WRITE, [
        rows.map(({ provider }) => provider),
        rows.map(({ raw }) => raw),
        rows.map(({ seen }) => seen),
        rows.map(({ tracking_number }) => tracking_number ?? null),
      ]);
      await pool.query(TRIM, [[...new Set(rows.map(({ provider }) => provider))], MAX_UNMAPPED]);
    }
  }

  function start(): void {
    under = write()
      .catch(onError)
      .finally(() => {
        under = undefined;
        if (waiting.size > 0) start();
      });
  }

  /** Resolves when no write is running. */
  async function settled(): Promise<void> {
    while (under !== undefined) await under;
  }

  return {
    note(provider: string, seen: readonly Unmapped[]): void {
      for (const { raw, tracking_number } of seen) {
        const key = `${provider} ${raw}`;
        const known = waiting.get(key);
        if (known === undefined && waiting.size >= MAX_WAITING) continue;
        waiting.set(key, {
          provider,
          raw,
          seen: (known?.seen ?? 0) + 1,
          ...((tracking_number ?? known?.tracking_number) !== undefined && {
            tracking_number: tracking_number ?? known!.tracking_number!,
          }),
        });
      }
      if (under === undefined) start();
    },
    /** Latest first; includes everything that this process has counted. */
    async of(provider: string): Promise<readonly UnmappedStatus[]> {
      await settled();
      const { rows } = await pool.query<Omit<UnmappedStatus, 'count'> & { seen: string }>(
        `select raw, seen, to_char(first_seen_at at time zone 'UTC', ${ISO}) as first_seen_at,
                to_char(last_seen_at at time zone 'UTC', ${ISO}) as last_seen_at, tracking_number
           from access.unmapped_statuses where provider = $1 order by access.unmapped_statuses.last_seen_at desc, raw`,
        [provider],
      );
      return rows.map(({ raw, seen, ...rest }) => ({ raw, count: Number(seen), ...rest }));
    },
    /** Deletes statuses that have not been seen for thirty days. */
    sweep: (): Promise<unknown> =>
      pool.query(`delete from access.unmapped_statuses where last_seen_at < now() - interval '30 days'`),
    settled,
  };
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

// Rows are written in key order, so that two processes do not deadlock.
const WRITE = `
  insert into access.unmapped_statuses as old (provider, raw, seen, first_seen_at, last_seen_at, tracking_number)
  select provider, raw, seen, now(), now(), tracking_number
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as said (provider, raw, seen, tracking_number)
   order by provider, raw
  on conflict (provider, raw) do update
     set seen = old.seen + excluded.seen, last_seen_at = excluded.last_seen_at,
         tracking_number = coalesce(excluded.tracking_number, old.tracking_number)`;
const TRIM = `
  delete from access.unmapped_statuses using (
    select provider, raw, row_number() over (partition by provider order by last_seen_at desc, raw) as place
      from access.unmapped_statuses where provider = any ($1)) as ranked
   where ranked.place > $2 and unmapped_statuses.provider = ranked.provider and unmapped_statuses.raw = ranked.raw`;
