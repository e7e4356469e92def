/** Questions to the read model of drivers' reserved time. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../core/database.js';
import type { DriverTimeRow } from './times.js';

export interface DriverTimeQueries {
  byId(id: string): Promise<DriverTimeRow | undefined>;
  /** Ids of active ones, reserved before `time` (ISO 8601, UTC), whose route the driver does not have, oldest first. */
  unclaimed(time: string, limit: number): Promise<readonly string[]>;
}

export const createDriverTimeQueries = (database: Kysely<Database>): DriverTimeQueries => ({
  byId: (id) => database.selectFrom('driver_times.driver_times').selectAll().where('id', '=', id).executeTakeFirst(),
  async unclaimed(time, limit) {
    const { rows } = await sql<{ id: string }>`
      select t.id from driver_times.driver_times t
       where t.active and t.reserved_at < ${time} and t.what like 'route:%' and not exists (
         select from board.board b
          where b.id = substr(t.what, 7)::int and b.driver_id = t.driver_id and b.finished_at is null)
       order by t.reserved_at limit ${limit}`.execute(database);
    return rows.map(({ id }) => id);
  },
});
