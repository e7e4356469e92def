/** Queries on the board of routes, and on the orders of these routes. */
import { sql, type Kysely, type SelectQueryBuilder } from 'kysely';
import type { Package } from '../../events/orders/events.js';
import { addDays } from '../../events/core/local-time.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { RouteRow } from '../routes/read-model.js';
import type { BoardRow } from './read-model.js';

/** The viewer: a business, or users who manage fleets or drive in them. */
export interface BoardViewer {
  readonly business: number;
  /** Only routes that were posted to one of these fleets; absent: all. */
  readonly fleetIds?: readonly number[];
}

/** The load of a route. */
export interface RouteLoad {
  readonly orders: number;
  readonly packages: readonly Package[];
  /** Amounts by the names of the business's custom capacities. */
  readonly own: ReadonlyMap<string, number>;
  readonly skills: readonly string[];
  /** The first two characters of postal codes, sorted. */
  readonly areas: readonly string[];
}

/** The time that a driver spends on another route, in milliseconds since 1970. */
export interface OtherRoute {
  readonly id: number;
  readonly driverId: number;
  readonly from: number;
  readonly to: number;
}

export type BoardQueries = ReturnType<typeof createBoardQueries>;

const NONE = -1;

/** The time of a route in milliseconds since 1970: of its posting, else of its plan. Undefined: unknown. */
export function timesOf(
  { posting }: Pick<BoardRow, 'posting'>,
  { planned }: Pick<RouteRow, 'planned'>,
): { readonly from: number; readonly to: number } | undefined {
  if (posting) return { from: Date.parse(posting.start_at), to: Date.parse(posting.end_at) };
  return planned ? { from: planned.start * 1_000, to: planned.end * 1_000 } : undefined;
}

export function createBoardQueries(database: Kysely<Database>) {
  const seen = ({ business, fleetIds }: BoardViewer) =>
    database
      .selectFrom('board.board')
      .selectAll()
      .where('business', '=', business)
      .$if(fleetIds !== undefined, (query) =>
        query.where(sql<boolean>`fleet_ids && ${sql.val([...fleetIds!])}::int[]`),
      ) as SelectQueryBuilder<Database, 'board.board', BoardRow>;
  return {
    /** Finds a route by id, posted or not. */
    byId: (id: number, viewer: BoardViewer): Promise<BoardRow | undefined> =>
      seen(viewer).where('id', '=', id).executeTakeFirst(),
    /** Finds routes of all businesses if no viewer is given. */
    byIds: (ids: readonly number[], viewer?: BoardViewer): Promise<readonly BoardRow[]> =>
      (viewer ? seen(viewer) : database.selectFrom('board.board').selectAll())
        .where('id', 'in', [...ids, NONE])
        .execute(),
    /** Posted routes that have not started, earliest first. */
    list: (range: Range, viewer: BoardViewer): Promise<Page<BoardRow>> =>
      pageOf(seen(viewer).where('posted', '=', true).where('started_at', 'is', null), range, BY_ID, (query) =>
        query.orderBy('start_at').orderBy('id'),
      ),
    /** Claimed routes that have not started: of these drivers, or of these businesses. */
    claimed: (driverIds: readonly number[], businesses: readonly number[]): Promise<readonly BoardRow[]> =>
      database
        .selectFrom('board.board')
        .selectAll()
        .where('posted', '=', true)
        .where('holder', 'is not', null)
        .where('started_at', 'is', null)
        .where(({ or, eb }) =>
          or([eb('holder', 'in', [NONE, ...driverIds]), eb('business', 'in', [NONE, ...businesses])]),
        )
        .orderBy('id')
        .execute(),
    async loads(routeIds: readonly number[]): Promise<ReadonlyMap<number, RouteLoad>> {
      const { rows } = await sql<{
        route_id: number;
        packages: Package[];
        own: { name: string; amount: number }[] | null;
        skills: string[] | null;
        area: string | null;
      }>`select route_id, packages, to_jsonb(o) #> '{planning,required_skills}' as skills, to_jsonb(o) #> '{planning,custom_sizes}' as own,
                left(case type when 'D' then delivery_postal_code else pickup_postal_code end, 2) as area
           from orders.orders o where route_id = any (${sql.val([...routeIds])}::int[])`.execute(database);
      const empty = () => ({
        orders: 0,
        packages: [] as Package[],
        own: new Map<string, number>(),
        skills: new Set<string>(),
        areas: new Set<string>(),
      });
      const loads = new Map<number, ReturnType<typeof empty>>();
      for (const { route_id, packages, own, skills, area } of rows) {
        const load = loads.get(route_id) ?? empty();
        loads.set(route_id, load);
        load.orders += 1;
        load.packages.push(...packages);
        for (const { name, amount } of own ?? []) load.own.set(name, (load.own.get(name) ?? 0) + amount);
        for (const skill of skills ?? []) load.skills.add(skill);
        if (area) load.areas.add(area);
      }
      return new Map(
        [...loads].map(([id, { skills, areas, ...load }]) => [
          id,
          { ...load, skills: [...skills].sort(), areas: [...areas].sort() },
        ]),
      );
    },
    /** Unfinished routes that these drivers have on this day or an adjacent one, planned or claimed. */
    async others(driverIds: readonly number[], date: string): Promise<readonly OtherRoute[]> {
      const rows = await database
        .selectFrom('board.board as b')
        .innerJoin('routes.routes as r', 'r.id', 'b.id')
        .where('b.driver_id', 'in', [...driverIds, NONE])
        // Includes routes that began the day before or end the day after.
        .where(
          'b.date',
          'in',
          [-1, 0, 1].map((days) => addDays(date, days)),
        )
        .where('b.finished_at', 'is', null)
        // A commit closes its routes that got no orders.
        .where((or) =>
          or.or([
            or('r.status', '=', 'open'),
            or.exists(or.selectFrom('orders.orders as o').whereRef('o.route_id', '=', 'b.id').select('o.id')),
          ]),
        )
        .select(['b.id', 'b.driver_id', 'b.posting', 'r.planned'])
        .execute();
      return rows.flatMap(({ id, driver_id, posting, planned }) => {
        const times = timesOf({ posting }, { planned });
        return times ? [{ id, driverId: driver_id!, ...times }] : [];
      });
    },
    /** Number of routes that each of the drivers has claimed on the day. */
    async claims(driverIds: readonly number[], date: string): Promise<ReadonlyMap<number, number>> {
      const rows = await database
        .selectFrom('board.board')
        .where('holder', 'in', [...driverIds, NONE])
        .where('date', '=', date)
        .groupBy('holder')
        .select(({ fn }) => ['holder', fn.countAll<string>().as('count')])
        .execute();
      return new Map(rows.map(({ holder, count }) => [holder!, Number(count)]));
    },
  };
}
