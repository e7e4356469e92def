/**
 * Raw statuses that a provider's table did not know, counted: a table, since what was refused stands in no event. A push
 * does not wait for it: what comes while a statement is under way goes with the next one. A process that is killed takes
 * with it what it had not counted yet.
 */
import type { Pool } from 'pg';

/** A raw status of a refused event, and whose it was. */
export interface Unmapped {
  readonly raw: string;
  readonly tracking_number?: string;
}

export interface UnmappedStatus {
  readonly raw: string;
  /** How often it was refused. */
  readonly count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  /** Of the latest event, where it named one. */
  readonly tracking_number: string | null;
}

export type UnmappedStatuses = ReturnType<typeof createUnmappedStatuses>;

/** Of a provider the codes that were seen last are kept. */
export const MOST_UNMAPPED = 200;
/** What waits in memory; more than a broken feed can tell in a statement is not counted. */
const MOST_WAITING = 2_000;

interface Waiting extends Unmapped {
  readonly provider: string;
  seen: number;
}

/** `onError`: counting failed, pushes go on. */
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
      await pool.query(TRIM, [[...new Set(rows.map(({ provider }) => provider))], MOST_UNMAPPED]);
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

  /** Resolves when nothing is under way. */
  async function settled(): Promise<void> {
    while (under !== undefined) await under;
  }

  return {
    note(provider: string, seen: readonly Unmapped[]): void {
      for (const { raw, tracking_number } of seen) {
        const key = `${provider} ${raw}`;
        const known = waiting.get(key);
        if (known === undefined && waiting.size >= MOST_WAITING) continue;
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
    /** Latest first; with all that this process has noted. */
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
    /** Removes what was not seen for thirty days. */
    sweep: (): Promise<unknown> =>
      pool.query(`delete from access.unmapped_statuses where last_seen_at < now() - interval '30 days'`),
    settled,
  };
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

// In the order of the key, so that two processes do not wait for each other.
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
