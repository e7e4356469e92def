/** Current positions of drivers on duty. They come from the drivers' last reported positions, which are not events. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../core/database.js';

export interface DriverPlaceFilter {
  readonly business: number;
  /** Only drivers of these fleets. */
  readonly fleetIds?: readonly number[] | undefined;
  /** Only drivers of this contractor's fleets. */
  readonly contractorId?: number | undefined;
  /** Only this driver. */
  readonly driverId?: number | undefined;
  /** Only positions that were reported after this time. */
  readonly seenSince: Date;
  readonly limit: number;
}

export interface DriverPlace {
  readonly driver_id: number;
  readonly at: Date;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy_m: number | null;
  /** A route that has started and is not finished. */
  readonly route_id: number | null;
  /** Online as a rider. */
  readonly online: boolean;
}

/** Sorted by driver id. */
export type DriverPlaces = (filter: DriverPlaceFilter) => Promise<readonly DriverPlace[]>;

export const createDriverPlaces =
  (database: Kysely<Database>): DriverPlaces =>
  async ({ business, fleetIds, contractorId, driverId, seenSince, limit }) => {
    const fleet = sql`
      exists (select from fleets.fleets f
               where f.business = ${business} and not f.dissolved and p.driver_id = any (f.drivers)
         and ${fleetIds === undefined ? sql`true` : sql`f.id = any (${sql.val([...fleetIds])}::int[])`}
         and ${contractorId === undefined ? sql`true` : sql`f.contractor_id = ${contractorId}`})`;
    const { rows } = await sql<DriverPlace>`
      select p.driver_id, p.at, p.latitude, p.longitude, p.accuracy_m, b.route_id, coalesce(r.online, false) as online
        from access.positions_last p
        join accounts.accounts a on a.id = p.driver_id and a.business = ${business}
        left join riders.riders r on r.id = p.driver_id
        left join lateral (
          select id as route_id from board.board
           where driver_id = p.driver_id and started_at is not null and finished_at is null order by id limit 1) b on true
       where p.at > ${seenSince} and (coalesce(r.online, false) or b.route_id is not null)
         and ${driverId === undefined ? sql`true` : sql`p.driver_id = ${driverId}`}
         and ${fleetIds === undefined && contractorId === undefined ? sql`true` : fleet}
       order by p.driver_id limit ${limit}`.execute(database);
    return rows;
  };
