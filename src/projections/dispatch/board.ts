/**
 * The dispatch board: items that are calculated from the read models and the current time. The board itself is not
 * stored.
 */
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { OrderStatus } from '../../events/orders/events.js';
import type { Database } from '../core/database.js';
import { SOURCES } from './sources/index.js';
import { seenJobs } from './sources/jobs.js';
import { seenPlans } from './sources/plans.js';
import { boardRoutes, seenOrders, seenRoutes, type BoardView, type ItemRow } from './sources/source.js';

/** Maximum number of listed items. Additional items are only counted. */
export const MAX_ITEMS = 5_000;

export interface Board {
  /** Sorted by severity, then oldest first; at most `MAX_ITEMS`. */
  readonly items: readonly ItemRow[];
  /** Number of items by kind, including items that are not listed. */
  readonly totals: ReadonlyMap<string, number>;
  /** Routes of the day. */
  readonly routes: { readonly planned: number; readonly under_way: number; readonly finished: number };
  /** Drivers of the day's routes in progress, and the drivers who have sent nothing for a long time. */
  readonly drivers: { readonly on_duty: number; readonly silent: number };
}

export type BoardQueries = ReturnType<typeof createBoardQueries>;

/**
 * A version of the item: hash of its facts and their start time, in eight hexadecimal digits. If an item disappears and
 * returns, it has a different version, so earlier decisions on it do not apply (dispatch R1).
 */
export const seenOf = ({ item, since, facts }: Pick<ItemRow, 'item' | 'since' | 'facts'>): string =>
  createHash('sha256')
    .update(JSON.stringify([item, since, facts]))
    .digest('hex')
    .slice(0, 8);

/** Routes of the day by stage: from their start and finish, or else from the scans of their drivers. */
const stages = ({ date, dayStart }: BoardView) => sql`
  select driver_id, case
    when finished_at is not null or (orders > 0 and open_stops = 0) then 'finished'
    when started_at is not null or (open_stops > 0 and last_scan_at >= ${dayStart}) then 'under_way'
    else 'planned' end as stage
  from board_routes where schedule_date = ${date}`;

export function createBoardQueries(database: Kysely<Database>) {
  const all = (view: BoardView) =>
    sql`with board_routes as materialized (${boardRoutes(view)}),
      items as materialized (${sql.join(
        SOURCES.map(({ select }) => select(view)),
        sql` union all `,
      )})`;

  return {
    async board(view: BoardView): Promise<Board> {
      const { items, totals, ...observed } = await database.transaction().execute(async (db) => {
        // JIT compilation of the statement takes longer than its execution.
        await sql`set local jit = off`.execute(db);
        const { rows } = await sql<{
          items: readonly ItemRow[];
          totals: Readonly<Record<string, number>>;
          routes: Board['routes'];
          drivers: Board['drivers'];
        }>`${all(view)}, stages as (${stages(view)}) select
          (select coalesce(json_agg(i), '[]') from (select * from items order by severity, since, item limit ${MAX_ITEMS}) i) as items,
          (select coalesce(json_object_agg(kind, n), '{}') from (select kind, count(*)::int as n from items group by kind) k) as totals,
          (select json_build_object(
            'planned', count(*) filter (where stage = 'planned'),
            'under_way', count(*) filter (where stage = 'under_way'),
            'finished', count(*) filter (where stage = 'finished'))
           from stages) as routes,
          json_build_object(
            'on_duty', (select count(distinct driver_id) from stages where stage = 'under_way'),
            'silent', (select count(distinct driver_id) from items where kind = 'driver_silent')) as drivers`.execute(
          db,
        );
        return rows[0]!;
      });
      return { items, totals: new Map(Object.entries(totals)), ...observed };
    },

    /** Orders of the day, by status. */
    async ordersOf(view: BoardView): Promise<readonly { readonly status: OrderStatus; readonly count: number }[]> {
      const { rows } = await sql<{ status: OrderStatus; count: string }>`
        select o.status, count(*) from orders.orders o
        where o.business = ${view.business} and o.schedule_date = ${view.date} ${seenOrders(view)}
        group by o.status order by o.status`.execute(database);
      return rows.map(({ status, count }) => ({ status, count: Number(count) }));
    },

    /**
     * Streams of the orders, route, plan or job that the view is limited to. For a route, also the stream of its most
     * recently changed order. Empty if the viewer may not see them.
     */
    async touching(view: BoardView): Promise<readonly string[]> {
      const { rows } = await sql<{ stream: string }>`
        select 'order-' || o.id as stream from orders.orders o
        where o.business = ${view.business} and ${view.orders !== undefined} ${seenOrders(view)}
        union all
        select unnest(array['route-' || r.id, (select 'order-' || o.id from orders.orders o where o.route_id = r.id order by o.updated_at desc limit 1)])
        from routes.routes r where r.business = ${view.business} and ${view.routes !== undefined} ${seenRoutes(view)}
        union all
        select 'plan-' || p.id from plans.plans p where p.business = ${view.business} and ${view.plans !== undefined} ${seenPlans(view)}
        union all
        select 'job-' || j.id from job_ends.job_ends j where j.business = ${view.business} and ${view.jobs !== undefined} ${seenJobs(view)}`.execute(
        database,
      );
      return rows.flatMap(({ stream }) => stream ?? []);
    },

    /** The businesses of these orders and routes, and the routes of the orders. */
    async ownersOf(
      orders: readonly number[],
      routes: readonly number[],
    ): Promise<readonly { readonly stream: string; readonly business: number; readonly route_id: number | null }[]> {
      const { rows } = await sql<{ stream: string; business: number; route_id: number | null }>`
        select 'order-' || id as stream, business, route_id from orders.orders where id = any (${orders}::int[])
        union all select 'route-' || id, business, id from routes.routes where id = any (${routes}::int[])`.execute(
        database,
      );
      return rows;
    },
  };
}
