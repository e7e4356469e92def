/** The read model of routes. Which orders are on them is asked of the orders. */
import { sequence } from '../core/sequence.js';
import {
  ROUTE_PREFIX,
  RouteClosed,
  RouteCreated,
  RouteDriverAssigned,
  type RouteStatus,
} from '../../events/routes/events.js';
import type { Projection } from '../core/projection.js';

/** Ids of routes. */
export const ROUTE_IDS = sequence('routes', { readModel: 'routes', table: 'routes.routes' });

export interface RouteRow {
  readonly id: number;
  readonly business: number;
  readonly name: string;
  readonly schedule_date: string;
  driver_id: number | null;
  /** The contractor that planned it. */
  readonly broker_id: number | null;
  status: RouteStatus;
  readonly created_by: number | null;
  readonly created_at: string;
  revision: number;
}

export const routes: Projection<RouteRow> = {
  name: 'routes',
  version: 1,
  prefixes: [ROUTE_PREFIX],
  tables: `
    create table :schema.routes (
      id            integer primary key,
      business      integer not null,
      name          text not null,
      schedule_date text collate "C" not null,
      driver_id     integer,
      broker_id     integer,
      status        text not null,
      created_by    integer,
      created_at    text not null,
      revision      integer not null
    );
    create index on :schema.routes (business, id);
    create index on :schema.routes (business, schedule_date, id);
    create index on :schema.routes (driver_id, schedule_date) where driver_id is not null;`,
  keyOf: (event) => event.stream.slice(ROUTE_PREFIX.length),
  rowPerStream: true,

  fold(row, event) {
    const data = event.data as Readonly<Record<string, never>>;
    if (!row) {
      if (event.type !== RouteCreated.type) throw new Error(`${event.type} stands before RouteCreated.`);
      const {
        route_id: id,
        business,
        name,
        schedule_date,
        driver_id = null,
        broker_id = null,
        created_by = null,
      } = event.data as unknown as Omit<RouteRow, 'id'> & { route_id: number };
      return {
        id,
        business,
        name,
        schedule_date,
        driver_id,
        broker_id,
        status: 'open',
        created_by,
        created_at: event.metadata['recorded_at'] as string,
        revision: event.revision,
      };
    }
    row.revision = event.revision;
    if (event.type === RouteDriverAssigned.type) row.driver_id = data['driver_id'] ?? null;
    if (event.type === RouteClosed.type) row.status = 'closed';
    return row;
  },

  async load(db, schema, keys) {
    const { rows } = await db.query<RouteRow>(`select * from ${schema}.routes where id = any ($1)`, [keys]);
    return new Map(rows.map((row) => [String(row.id), row]));
  },

  async save(db, schema, changed) {
    await db.query(
      `insert into ${schema}.routes select * from json_populate_recordset(null::${schema}.routes, $1)
       on conflict (id) do update set driver_id = excluded.driver_id, status = excluded.status, revision = excluded.revision`,
      [JSON.stringify([...changed.values()])],
    );
  },
};

declare module '../core/projection.js' {
  interface ReadModels {
    routes: true;
  }
}
