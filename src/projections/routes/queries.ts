/** Queries on the read model of routes. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import { routeSubject, type RouteStatus } from '../../events/routes/events.js';
import { NEWEST_FIRST } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { openRows } from '../core/sealed-members.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { RouteRow } from './read-model.js';

/** The viewing business. Additional members limit the routes to the routes of a contractor or a driver. */
export interface RouteViewer {
  readonly business: number;
  readonly brokerId?: number | undefined;
  readonly driverId?: number | undefined;
}

export interface RouteFilter extends Range {
  readonly status?: RouteStatus | undefined;
  /** `YYYY-MM-DD`. */
  readonly date?: string | undefined;
  readonly driverId?: number | undefined;
}

export interface Route extends Omit<RouteRow, 'name' | 'sealed'> {
  /** After an erasure the subject of the route, such as `route-7`. */
  readonly name: string;
  /** Number of orders on the route, including orders that have ended. */
  readonly order_count: number;
}

export type RouteQueries = ReturnType<typeof createRouteQueries>;

export function createRouteQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const seen = ({ business, brokerId, driverId }: RouteViewer) =>
    database
      .selectFrom('routes.routes')
      .where('business', '=', business)
      .$if(brokerId !== undefined, (query) => query.where('broker_id', '=', brokerId!))
      .$if(driverId !== undefined, (query) => query.where('driver_id', '=', driverId!));

  async function opened(rows: readonly RouteRow[]): Promise<Omit<Route, 'order_count'>[]> {
    const found = await openRows<{ readonly name?: string | null }, RouteRow>(rows, keyRing);
    const erased = await erasedAmong(rows.flatMap(({ id, name }) => (name === null ? [] : routeSubject(id))));
    return found.map(({ name, ...row }) => {
      const subject = routeSubject(row.id);
      return { ...row, name: name === undefined || name === null || erased.has(subject) ? subject : name };
    });
  }

  /** Subjects whose keys are destroyed: their plaintext names of version 1 are not shown. */
  async function erasedAmong(subjects: readonly string[]): Promise<ReadonlySet<string>> {
    if (subjects.length === 0) return new Set();
    const { rows } = await sql<{ subject: string }>`
      select subject from vault.subject_keys where subject = any (${subjects}::text[]) and destroyed_at is not null`.execute(
      database,
    );
    return new Set(rows.map(({ subject }) => subject));
  }

  async function counted(rows: readonly RouteRow[]): Promise<Route[]> {
    const found =
      rows.length === 0
        ? []
        : await database
            .selectFrom('orders.orders')
            .where(
              'route_id',
              'in',
              rows.map(({ id }) => id),
            )
            .groupBy('route_id')
            .select(({ fn }) => ['route_id', fn.countAll<string>().as('count')])
            .execute();
    const counts = new Map(found.map(({ route_id, count }) => [route_id, Number(count)]));
    return (await opened(rows)).map((row) => ({ ...row, order_count: counts.get(row.id) ?? 0 }));
  }

  return {
    async byId(id: number, viewer: RouteViewer): Promise<Route | undefined> {
      return (await counted(await seen(viewer).selectAll().where('id', '=', id).execute()))[0];
    },
    /** Newest first. */
    async list(
      { status, date, driverId, ...range }: RouteFilter,
      viewer: RouteViewer,
    ): Promise<Omit<Page<Route>, 'rows'> & { readonly routes: readonly Route[] }> {
      const filtered = seen(viewer)
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .$if(date !== undefined, (query) => query.where('schedule_date', '=', date!))
        .$if(driverId !== undefined, (query) => query.where('driver_id', '=', driverId!));
      const { rows, ...page } = await pageOf(filtered.selectAll(), range, NEWEST_FIRST);
      return { ...page, routes: await counted(rows) };
    },
  };
}
