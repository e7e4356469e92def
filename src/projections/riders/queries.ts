/** Queries on the read models of riders, of orders that search for a rider, and of offers. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../core/database.js';
import { hasOpenStop } from '../orders/status-conditions.js';
import type { OrderRow } from '../orders/row.js';
import type { InstantRow } from './instants.js';
import type { OfferRow } from './offers.js';
import type { RiderRow } from './riders.js';

/** The criteria of a search for riders near a position. */
export interface Near {
  readonly business: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Distance in metres as the crow flies. The result may include riders slightly farther away. */
  readonly reach: number;
  /** Only drivers of these fleets; absent: all. */
  readonly fleetIds?: readonly number[] | undefined;
  /** RFC 3339: only riders whose position was reported after this time. */
  readonly seenSince: string;
  /**
   * Time span of the delivery, RFC 3339. Excludes riders with a route at that time, according to its posting, plan or
   * start.
   */
  readonly from: string;
  readonly to: string;
  /** Excludes these riders. */
  readonly without: readonly number[];
}

/** An online rider, with the data that the search needs. */
export interface NearRider extends Pick<RiderRow, 'id' | 'instant' | 'declined_at'> {
  readonly latitude: number;
  readonly longitude: number;
}

export interface RiderQueries {
  byId(id: number): Promise<RiderRow | undefined>;
  /** Riders who are online, have free capacity, and have no open offer. In no particular order; at most 10,000. */
  near(where: Near): Promise<readonly NearRider[]>;
  instant(orderId: number, business: number): Promise<InstantRow | undefined>;
  /** Orders whose search has not changed since `time` (RFC 3339), oldest first. */
  waiting(time: string, limit: number): Promise<readonly number[]>;
  /** The business of an order, without a check of the viewer. */
  businessOf(orderId: number): Promise<number | undefined>;
  offer(id: string): Promise<OfferRow | undefined>;
  /** Open offers to the rider, oldest first. */
  openOffers(riderId: number): Promise<readonly OfferRow[]>;
  /** Offers of the request that began at `since`, in the order in which they were made. */
  offersOf(orderId: number, since: string): Promise<readonly OfferRow[]>;
  /** Number of instant orders that are reserved for the rider or offered to the rider. */
  unitsOf(riderId: number): Promise<number>;
  /** The orders on a route. */
  onRoute(routeId: number): Promise<readonly Pick<OrderRow, 'id' | 'type' | 'status'>[]>;
}

const MAX_NEAR = 10_000;
const METRES_A_DEGREE = 111_000;

export function createRiderQueries(database: Kysely<Database>): RiderQueries {
  const offers = () => database.selectFrom('rider_offers.rider_offers').selectAll();
  return {
    byId: (id) => database.selectFrom('riders.riders').selectAll().where('id', '=', id).executeTakeFirst(),
    async near({ business, latitude, longitude, reach, fleetIds, seenSince, from, to, without }) {
      const north = reach / METRES_A_DEGREE;
      const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
      const { rows } = await sql<NearRider>`
        select r.id, r.instant, r.declined_at, p.latitude, p.longitude
          from access.positions_last p join riders.riders r on r.id = p.driver_id
         where p.latitude between ${latitude - north} and ${latitude + north}
           and p.longitude between ${longitude - east} and ${longitude + east} and p.at > ${seenSince}::timestamptz
           and r.business = ${business} and r.online and r.instant is not null
           and r.id <> all (${sql.val([...without])}::int[])
           and (${fleetIds === undefined} or exists (
             select from fleets.fleets f where f.business = ${business} and not f.dissolved
                and f.id = any (${sql.val([...(fleetIds ?? [])])}::int[]) and r.id = any (f.drivers)))
           and not exists (select from rider_offers.rider_offers o where o.rider_id = r.id and o.state = 'open')
           and (select count(*) from driver_times.driver_times t where t.driver_id = r.id and t.active and t.what like 'instant:%')
             < (r.instant ->> 'max_concurrent')::int
           and not exists (
             select from board.board b join routes.routes w on w.id = b.id
              where b.driver_id = r.id and b.id is distinct from r.route_id and b.finished_at is null
                and ((coalesce((b.posting ->> 'start_at')::timestamptz, w.planned_start::timestamptz) < ${to}::timestamptz
                    and coalesce((b.posting ->> 'end_at')::timestamptz, to_timestamp((w.planned ->> 'end')::float)) > ${from}::timestamptz)
                  or (b.started_at is not null and exists (
                    select from orders.orders o where o.route_id = b.id and ${sql.raw(hasOpenStop('o.'))}))))
         limit ${MAX_NEAR}`.execute(database);
      return rows;
    },
    instant: (orderId, business) =>
      database
        .selectFrom('instants.instants')
        .selectAll()
        .where('id', '=', orderId)
        .where('business', '=', business)
        .executeTakeFirst(),
    async waiting(time, limit) {
      const rows = await database
        .selectFrom('instants.instants')
        .select('id')
        .where('status', 'in', ['requested', 'accepted'])
        .where('changed_at', '<', time)
        .orderBy('changed_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async businessOf(orderId) {
      const found = database.selectFrom('instants.instants').select('business').where('id', '=', orderId);
      return (await found.executeTakeFirst())?.business;
    },
    offer: (id) => offers().where('id', '=', id).executeTakeFirst(),
    openOffers: (riderId) =>
      offers().where('rider_id', '=', riderId).where('state', '=', 'open').orderBy('made_at').execute(),
    offersOf: (orderId, since) =>
      offers().where('order_id', '=', orderId).where('made_at', '>=', since).orderBy('made_at').orderBy('id').execute(),
    async unitsOf(riderId) {
      const { count } = await database
        .selectFrom('driver_times.driver_times')
        .where('driver_id', '=', riderId)
        .where('active', '=', true)
        .where('what', 'like', 'instant:%')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    onRoute: (routeId) =>
      database.selectFrom('orders.orders').select(['id', 'type', 'status']).where('route_id', '=', routeId).execute(),
  };
}
