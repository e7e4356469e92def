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
   * as a rider nor on a route that was started.
   */
  put(driverId: number, place: Place): Promise<'stored' | 'older' | undefined>;
  /** When the driver's place was taken. */
  lastAt(driverId: number): Promise<Date | undefined>;
  forget(driverIds: readonly number[]): Promise<void>;
  /** Removes what is of no use any more. */
  sweep(): Promise<void>;
}

const KEPT_MS = 15 * 60_000;

export const createPositions = (pool: Pool, now: () => number): Positions => ({
  async put(driverId, { at, latitude, longitude, accuracy_m }) {
    const { rows } = await pool.query<{ duty: boolean; stored: number }>({
      name: 'position-put',
      text: `with duty as (
          select exists (select from riders.riders where id = $1 and online)
              or exists (select from board.board where driver_id = $1 and started_at is not null and finished_at is null) as yes),
        put as (
          insert into access.positions_last as p (driver_id, at, latitude, longitude, accuracy_m, received_at)
          select $1, $2, $3, $4, $5, $6 from duty where yes
          on conflict (driver_id) do update set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude,
            accuracy_m = excluded.accuracy_m, received_at = excluded.received_at
            where excluded.at > p.at
          returning 1)
        select yes as duty, (select count(*)::int from put) as stored from duty`,
      values: [driverId, at, latitude, longitude, accuracy_m ?? null, new Date(now())],
    });
    const { duty, stored } = rows[0]!;
    return duty ? (stored > 0 ? 'stored' : 'older') : undefined;
  },
  async lastAt(driverId) {
    const { rows } = await pool.query<{ at: Date }>('select at from access.positions_last where driver_id = $1', [
      driverId,
    ]);
    return rows[0]?.at;
  },
  async forget(driverIds) {
    await pool.query('delete from access.positions_last where driver_id = any ($1)', [driverIds]);
  },
  async sweep() {
    await pool.query('delete from access.positions_last where received_at < $1', [new Date(now() - KEPT_MS)]);
  },
});
