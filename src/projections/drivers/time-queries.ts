/** Queries on the read model of drivers' reserved time. */
import { sql, type Kysely } from 'kysely';
import { FINAL_STATUSES } from '../../events/orders/status.js';
import type { Database } from '../core/database.js';
import type { DriverTimeRow } from './times.js';

export interface DriverTimeQueries {
  byId(id: string): Promise<DriverTimeRow | undefined>;
  /**
   * Ids of active reservations of routes that the driver does not have, or that are closed without orders. Only those
   * reserved before `time` (ISO 8601, UTC), oldest first. Reservations that ended more than a day before are skipped,
   * because they no longer block the driver.
   */
  unclaimed(time: string, limit: number): Promise<readonly string[]>;
  /** Whether the route has no orders. */
  isEmpty(routeId: number): Promise<boolean>;
  /**
   * Ids of active reservations of instant orders that the driver is neither offered nor delivering. Only those reserved
   * before `time`, oldest first.
   */
  unridden(time: string, limit: number): Promise<readonly string[]>;
}

const DAY_MS = 86_400_000;

export const createDriverTimeQueries = (database: Kysely<Database>): DriverTimeQueries => ({
  byId: (id) => database.selectFrom('driver_times.driver_times').selectAll().where('id', '=', id).executeTakeFirst(),
  async unclaimed(time, limit) {
    const over = new Date(Date.parse(time) - DAY_MS).toISOString();
    const { rows } = await sql<{ id: string }>`
      select t.id from driver_times.driver_times t
       where t.active and t.to_at > ${over} and t.reserved_at < ${time} and t.what like 'route:%' and not exists (
         select from board.board b join routes.routes r on r.id = b.id
          where b.id = substr(t.what, 7)::int and b.driver_id = t.driver_id and b.finished_at is null
            and (r.status = 'open' or exists (select from orders.orders o where o.route_id = b.id)))
       order by t.reserved_at limit ${limit}`.execute(database);
    return rows.map(({ id }) => id);
  },
  async isEmpty(routeId) {
    const found = database.selectFrom('orders.orders').select('id').where('route_id', '=', routeId).limit(1);
    return (await found.executeTakeFirst()) === undefined;
  },
  async unridden(time, limit) {
    const { rows } = await sql<{ id: string }>`
      select t.id from driver_times.driver_times t
       where t.active and t.reserved_at < ${time} and t.what like 'instant:%' and not exists (
         select from rider_offers.rider_offers f
          where f.order_id = substr(t.what, 9)::int and f.rider_id = t.driver_id and f.state = 'open') and not exists (
         select from instants.instants i join orders.orders o on o.id = i.id
          where i.id = substr(t.what, 9)::int and i.rider_id = t.driver_id
            and (i.status = 'accepted' or (o.route_id = i.route_id and o.status not in (${sql.join(FINAL_STATUSES.map((status) => sql.lit(status)))}))))
       order by t.reserved_at limit ${limit}`.execute(database);
    return rows.map(({ id }) => id);
  },
});
