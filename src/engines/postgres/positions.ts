/** Where drivers on duty are: the last place alone. A table that no backup holds, never events. */
import type { Pool } from 'pg';

export interface Place {
  /** When the driver was there. */
  readonly at: Date;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy_m?: number | undefined;
}

export interface Positions {
  /**
   * Takes the place, where none is known that is newer. Undefined, and nothing is stored: the driver is neither online
   * as a rider nor on a route that was started. `since`: when the duty began. `keep` false: a dry run, nothing is stored.
   */
  put(
    driverId: number,
    place: Place,
    keep?: boolean,
  ): Promise<{ readonly since: Date; readonly isNewest: boolean } | undefined>;
  /** Where the driver was last. */
  last(driverId: number): Promise<Place | undefined>;
  forget(driverIds: readonly number[]): Promise<void>;
  /** Removes what is of no use any more. */
  sweep(): Promise<void>;
}

/** Of who is not on duty any more. */
const KEPT_MS = 15 * 60_000;
/** Of who is: as long as a driver may be silent. */
const MOST_KEPT_MS = 12 * 3_600_000;

/** When the duty of `driver` began; null: not on duty. */
const dutySince = (driver: string) => `(select min(since) from (
  select since::timestamptz as since from riders.riders where id = ${driver} and online union all
  select started_at::timestamptz from board.board
   where driver_id = ${driver} and started_at is not null and finished_at is null) d)`;

export const createPositions = (pool: Pool, now: () => number): Positions => ({
  async put(driverId, { at, latitude, longitude, accuracy_m }, keep = true) {
    const { rows } = await pool.query<{ since: Date | null; stored: number }>({
      name: 'position-put',
      text: `with duty as (select ${dutySince('$1')} as since),
        put as (
          insert into access.positions_last as p (driver_id, at, latitude, longitude, accuracy_m, received_at)
          select $1, $2, $3, $4, $5, $6 from duty where since is not null and $7
          on conflict (driver_id) do update set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude,
            accuracy_m = excluded.accuracy_m, received_at = excluded.received_at
            where excluded.at > p.at
          returning 1)
        select since, (select count(*)::int from put) as stored from duty`,
      values: [driverId, at, latitude, longitude, accuracy_m ?? null, new Date(now()), keep],
    });
    const { since, stored } = rows[0]!;
    return since ? { since, isNewest: stored > 0 } : undefined;
  },
  async last(driverId) {
    const { rows } = await pool.query<Omit<Place, 'accuracy_m'> & { accuracy_m: number | null }>(
      'select at, latitude, longitude, accuracy_m from access.positions_last where driver_id = $1',
      [driverId],
    );
    const [row] = rows;
    return row && { ...row, accuracy_m: row.accuracy_m ?? undefined };
  },
  async forget(driverIds) {
    await pool.query('delete from access.positions_last where driver_id = any ($1)', [driverIds]);
  },
  async sweep() {
    await pool.query(
      `delete from access.positions_last p
        where received_at < $1 or (received_at < $2 and ${dutySince('p.driver_id')} is null)`,
      [new Date(now() - MOST_KEPT_MS), new Date(now() - KEPT_MS)],
    );
  },
});
