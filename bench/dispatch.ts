/** The dispatch board of a full day against the plain list of that day's orders, over HTTP. */
import pg from 'pg';
import type { Demo } from '../src/compose/demo/demo.js';
import { localDate } from '../src/events/core/local-time.js';
import { seed, signIn } from './assignments.js';
import { createClient } from './http.js';
import { quantile, startService, waitUntilIdle, type Databases } from './support.js';
import { count, ms, type Line } from './table.js';

/** Far above the ids that the seed assigns. */
export const FIRST = 1_000_000;
const WARM_UP = 20;
const SIZES = [
  { orders: 5_000, routes: 100 },
  { orders: 20_000, routes: 400 },
];

/** Local date of the demo business: `YYYY-MM-DD`. */
export const today = (): string => localDate(Date.now(), 'Europe/Berlin');

export async function measureDispatch(databases: Databases, requests: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const size of SIZES) {
    const databaseUrl = await databases.fresh(`dispatch${size.orders}`);
    const demo = await seed(databaseUrl);
    const db = new pg.Client({ connectionString: databaseUrl });
    await db.connect();
    const date = today();
    await preloadDay(db, demo, { ...size, date });
    const service = await startService(databaseUrl);
    await waitUntilIdle(databaseUrl);
    // Same state of the tables as after autovacuum in a service that has run for a while.
    await db.query('vacuum analyze');
    await db.end();
    const client = createClient(service.url, 1, await signIn(service.url, demo));
    const ask = async (path: string): Promise<number> => {
      const began = performance.now();
      const { status, body } = await client.send('GET', `/api/v1${path}`);
      if (status !== 200) throw new Error(`${path}: ${status} ${body.toString().slice(0, 300)}`);
      return performance.now() - began;
    };
    const figures = { board: [] as number[], list: [] as number[] };
    for (let round = -WARM_UP; round < requests; round++) {
      const [board, list] = [
        await ask('/dispatch/board'),
        await ask(`/orders?schedule_date_from=${date}&schedule_date_to=${date}`),
      ];
      if (round < 0) continue;
      figures.board.push(board);
      figures.list.push(list);
    }
    client.close();
    await service.stop();
    const [board, list] = [quantile(figures.board, 0.95), quantile(figures.list, 0.95)];
    lines.push({
      name: `Dispatch board with ${count(size.orders)} orders on ${size.routes} routes, p95`,
      value: ms(board),
      ratio: board / list,
      reference: `${ms(list)} list of these orders`,
      goal: '60 ms, ratio at most 5',
    });
  }
  return lines;
}

/**
 * Inserts a day in bulk, as the service stores it. Of a hundred orders, 97 are on routes, two are unassigned, and one
 * has a time window that has ended. Every twentieth route has no driver.
 */
export async function preloadDay(
  db: pg.Client,
  { orders: { assignable }, users: { driver } }: Demo,
  { orders, routes, date }: { readonly orders: number; readonly routes: number; readonly date: string },
): Promise<void> {
  const sample = `(select * from log.events where stream = 'order-${assignable[0]}' and revision = 0) s`;
  const insert = 'insert into log.events (stream, revision, id, type, version, data, metadata)';
  await db.query(
    `${insert} select 'route-' || n, 0, gen_random_uuid(), 'RouteCreated', 1, json_strip_nulls(json_build_object(
       'route_id', n, 'business', s.data -> 'business', 'name', 'Tour ' || n, 'schedule_date', $3::text,
       'driver_id', case when n % 20 > 0 then $4::int end)), s.metadata
     from ${sample} cross join generate_series($1::int, $1::int + $2::int - 1) n order by n`,
    [FIRST, routes, date, driver.id],
  );
  await db.query(
    `${insert} select 'order-' || n, 0, gen_random_uuid(), s.type, s.version, (s.data::jsonb - '$sealed' || jsonb_build_object(
       'order_id', n, 'order_ref', 'B' || n, 'packages', jsonb_build_array(jsonb_build_object('tracking_number', 'BENCH' || n)),
       'schedule_date', $3::text, 'time_windows', jsonb_build_array(jsonb_build_object('stop', 'delivery', 'from', '00:00',
         'to', case when n % 100 = 7 then '00:01' else '23:59' end))))::json, s.metadata
     from ${sample} cross join generate_series($1::int, $1::int + $2::int - 1) n order by n`,
    [FIRST, orders, date],
  );
  await db.query(
    `${insert} select 'order-' || n, 1, gen_random_uuid(), 'OrderPutOnRoute', 1, json_build_object('route_id', $1::int + n % $3::int), s.metadata
     from ${sample} cross join generate_series($1::int, $1::int + $2::int - 1) n where n % 100 > 1 order by n`,
    [FIRST, orders, routes],
  );
}
