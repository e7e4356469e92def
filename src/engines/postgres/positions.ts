/** Last known position of each driver on duty. Stored in a table that backups exclude, not in events. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';

export interface Place {
  /** Time at which the driver was there. */
  readonly at: Date;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy_m?: number | undefined;
}

/** Duty of a driver: its start, whether the driver is online as a rider, and whether the position was the newest. */
export interface Duty {
  readonly since: Date;
  readonly online: boolean;
  readonly isNewest: boolean;
}

export type Positions = ReturnType<typeof createPositions>;

/**
 * Time to collect positions into one statement. Apps do not wait for the response, and thousands of separate statements
 * would delay other queries.
 */
const GATHERED_MS = 20;
/** Retention of positions of drivers who are off duty. */
const RETENTION_MS = 15 * 60_000;
/** Retention of positions of drivers on duty: the maximum time without a new position. */
const DUTY_RETENTION_MS = 12 * 3_600_000;

/** Start of the duty of `driver`; null: off duty. */
const dutySince = (driver: string) => `(select min(since) from (
  select since::timestamptz as since from riders.riders where id = ${driver} and online union all
  select started_at::timestamptz from board.board
   where driver_id = ${driver} and started_at is not null and finished_at is null) d)`;

interface ReportedPosition extends Place {
  readonly driverId: number;
  readonly keep: boolean;
}

/** Stores the newest of several positions of one driver. Rows are locked in the order of the drivers. */
const PUT = `with told as (
    select * from unnest($1::int[], $2::timestamptz[], $3::float8[], $4::float8[], $5::real[], $6::bool[])
      with ordinality as t (driver_id, at, latitude, longitude, accuracy_m, keep, nth)
  ), duty as (
    select driver_id, ${dutySince('d.driver_id')} as since,
      exists (select from riders.riders r where r.id = d.driver_id and r.online) as online
      from (select distinct driver_id from told) d
  ), put as (
    insert into access.positions_last as p (driver_id, at, latitude, longitude, accuracy_m, received_at)
    select distinct on (driver_id) driver_id, at, latitude, longitude, accuracy_m, $7::timestamptz
      from told join duty using (driver_id) where since is not null and keep order by driver_id, at desc, nth
    on conflict (driver_id) do update set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude,
      accuracy_m = excluded.accuracy_m, received_at = excluded.received_at
      where excluded.at > p.at
    returning driver_id, at)
  select since, online, exists (select from put where put.driver_id = told.driver_id and put.at = told.at) as "isNewest"
    from told join duty using (driver_id) order by nth`;

export function createPositions(pool: Pool, now: () => number) {
  const putting = new DataLoader<ReportedPosition, Duty | undefined>(
    async (reports) => {
      const { rows } = await pool.query<Omit<Duty, 'since'> & { since: Date | null }>({
        name: 'positions-put',
        text: PUT,
        values: [
          reports.map(({ driverId }) => driverId),
          reports.map(({ at }) => at),
          reports.map(({ latitude }) => latitude),
          reports.map(({ longitude }) => longitude),
          reports.map(({ accuracy_m = null }) => accuracy_m),
          reports.map(({ keep }) => keep),
          new Date(now()),
        ],
      });
      return rows.map(({ since, ...duty }) => (since ? { since, ...duty } : undefined));
    },
    { cache: false, maxBatchSize: 500, batchScheduleFn: (go) => void setTimeout(go, GATHERED_MS) },
  );
  return {
    /**
     * Stores the position unless a newer one is known. Returns undefined, and stores nothing, if the driver is neither
     * online as a rider nor on a started route. `keep` false: a dry run, nothing is stored. Concurrent calls share one
     * statement, so a call takes some 20 ms.
     */
    put: (driverId: number, place: Place, keep: boolean = true): Promise<Duty | undefined> =>
      putting.load({ ...place, driverId, keep }),
    /** The last position of the driver. */
    async last(driverId: number): Promise<Place | undefined> {
      const { rows } = await pool.query<Omit<Place, 'accuracy_m'> & { accuracy_m: number | null }>(
        'select at, latitude, longitude, accuracy_m from access.positions_last where driver_id = $1',
        [driverId],
      );
      const [row] = rows;
      return row && { ...row, accuracy_m: row.accuracy_m ?? undefined };
    },
    async forget(driverIds: readonly number[]): Promise<void> {
      await pool.query('delete from access.positions_last where driver_id = any ($1)', [driverIds]);
    },
    /** Deletes expired positions. */
    async sweep(): Promise<void> {
      await pool.query(
        `delete from access.positions_last p
        where received_at < $1 or (received_at < $2 and ${dutySince('p.driver_id')} is null)`,
        [new Date(now() - DUTY_RETENTION_MS), new Date(now() - RETENTION_MS)],
      );
    },
  };
}
