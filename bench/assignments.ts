/**
 * Contractor assignments: 1,000 orders in one request, none of which the service has cached, against a bare append of
 * as many events through pg. Also pages of a list of 100,000 assignments against its first page.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ORDER_POLICY } from '../src/areas/wiring/order-followers.js';
import { ORDER_SEARCH } from '../src/projections/orders/search.js';
import type { Demo } from '../src/compose/demo/demo.js';
import { serviceEnvironment } from '../test/support/processes/environment.js';
import { createClient, type Client } from './http.js';
import type { RawRow } from './ingest.js';
import { MASTER_KEY, median, seconds, startService, waitUntilIdle, type Databases } from './support.js';
import { count, ms, type Line } from './table.js';

const AT_ONCE = 1_000;
const WARM_UP = 12;
const LISTED = 100_000;
const PATH = '/api/v1/broker-order-assignments';
/** Far above the ids that the seed assigns. */
const FIRST_ORDER = 1_000_000;

export interface AssignmentsOptions {
  readonly rounds: number;
  /** Requests per page. */
  readonly requests: number;
}

export async function measureAssignments(
  databases: Databases,
  { rounds, requests }: AssignmentsOptions,
): Promise<Line[]> {
  const databaseUrl = await databases.fresh('assignments');
  const bareUrl = await databases.fresh('bare');
  const demo = await seed(databaseUrl);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const bare = new pg.Client({ connectionString: bareUrl });
  await bare.connect();
  // Inserted before the service runs, because direct inserts do not use the log's locks. The first rounds warm the
  // service up (compiled code).
  const ids = await preloadOrders(db, demo, (rounds + WARM_UP) * AT_ONCE);
  await preloadAssignments(db, demo);
  const service = await startService(databaseUrl);
  const client = createClient(service.url, 1, await signIn(service.url, demo));

  const figures: { assigned: number[]; bare: number[] } = { assigned: [], bare: [] };
  for (let round = -WARM_UP; round < rounds; round++) {
    const part = ids.splice(0, AT_ONCE);
    const body = Buffer.from(JSON.stringify({ order_ids: part, broker_id: demo.users.broker.id }));
    await waitUntilIdle(databaseUrl);
    const assigned = await seconds(async () => {
      const answer = await client.send('POST', PATH, { body });
      const { assigned: done } = JSON.parse(answer.body.toString()) as { assigned?: number };
      if (done !== AT_ONCE) throw new Error(`${answer.status} ${answer.body.toString().slice(0, 300)}`);
    });
    const { rows } = await db.query<RawRow>(
      "select type, data, metadata from log.events where type = 'OrderAssigned' order by position desc limit $1",
      [AT_ONCE],
    );
    const values = insertion(rows);
    const took = await seconds(() => bare.query({ name: 'bare', text: INSERT, values }));
    if (round < 0) continue;
    figures.assigned.push(assigned);
    figures.bare.push(took);
  }

  // Same statistics as after autovacuum in a service that has run for a while; query plans depend on them.
  await db.query('analyze');
  const pages = await measurePages(client, demo, requests);
  client.close();
  await Promise.all([db.end(), bare.end(), service.stop()]);
  const [http, raw] = [median(figures.assigned), median(figures.bare)];
  return [
    {
      name: `Assigning ${count(AT_ONCE)} orders in one request (events)`,
      value: `${count(AT_ONCE / http)}/s, ${ms(http * 1_000)}`,
      ratio: raw / http,
      reference: `${count(AT_ONCE / raw)}/s bare bulk append`,
      goal: '0.3',
    },
    ...pages.map(({ name, first, slowest, page }): Line => ({
      name: `Page of ${count(LISTED)} assignments${name}`,
      value: `${ms(slowest)} (page ${count(page)})`,
      ratio: slowest / first,
      reference: `${ms(first)} page 1`,
      goal: 'at most 3',
    })),
  ];
}

/** Seeds the demo into a new database. */
export async function seed(databaseUrl: string): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'transport-bench-seed-'));
  await promisify(execFile)(process.execPath, ['dist/src/cli/seed.js'], {
    env: serviceEnvironment({ DATABASE_URL: databaseUrl, MASTER_KEY, DATA_DIR: folder }),
  });
  const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as Demo;
  await rm(folder, { recursive: true });
  return demo;
}

/** Returns the access token of a demo user. */
export async function signIn(url: string, { users }: Demo, who: keyof Demo['users'] = 'client_admin'): Promise<string> {
  const { email, password } = users[who];
  const client = createClient(url, 1);
  const { body } = await client.send('POST', '/api/v1/user/login', {
    body: Buffer.from(JSON.stringify({ email, password })),
  });
  client.close();
  return (JSON.parse(body.toString()) as { access_token: string }).access_token;
}

/** Inserts orders in bulk, as the service stores them: copies of a seeded order under other ids. */
export async function preloadOrders(
  db: pg.Client,
  { orders }: Demo,
  many: number,
  from = FIRST_ORDER,
): Promise<number[]> {
  await db.query(
    `insert into log.events (stream, revision, id, type, version, data, metadata)
     select 'order-' || n, 0, gen_random_uuid(), s.type, s.version,
            (s.data::jsonb - '$sealed' || jsonb_build_object('order_id', n, 'order_ref', 'B' || n, 'packages', jsonb_build_array(jsonb_build_object('tracking_number', 'BENCH' || n))))::json, s.metadata
       from (select * from log.events where stream = $1 and revision = 0) s cross join generate_series($2::int, $2::int + $3::int - 1) n order by n`,
    [`order-${orders.assignable[0]}`, from, many],
  );
  return Array.from({ length: many }, (_, index) => from + index);
}

/** Inserts 100,000 additional orders, each assigned to one of the two contractors. */
async function preloadAssignments(
  db: pg.Client,
  { orders, users: { broker, broker_2, client_admin } }: Demo,
): Promise<void> {
  const from = FIRST_ORDER * 2;
  await preloadOrders(db, { orders } as Demo, LISTED, from);
  await db.query(
    `insert into log.events (stream, revision, id, type, version, data, metadata)
     select 'order-' || n, 1, gen_random_uuid(), 'OrderAssigned', 1,
            json_build_object('assignment_id', n, 'business', s.data -> 'business', 'broker_id', ($4::int[])[1 + n % 2], 'assigned_by', $5::int), s.metadata
       from (select * from log.events where stream = $1 and revision = 0) s cross join generate_series($2::int, $2::int + $3::int - 1) n order by n`,
    [`order-${orders.assignable[0]}`, from, LISTED, [broker.id, broker_2.id], client_admin.id],
  );
  await passOver(db);
  await db.query('vacuum analyze log.events');
}

/**
 * Marks invented orders as processed for the order policy and the order search, so that their work does not disturb the
 * measurement.
 */
export async function passOver(db: pg.Client): Promise<void> {
  await db.query(
    `insert into projections.checkpoints (name, version, position) select name, version, (select lpad(max(position)::text, 19, '0') from log.events) from unnest($1::text[], $2::int[]) r (name, version)
     on conflict (name) do update set position = excluded.position`,
    [
      [ORDER_POLICY.name, ORDER_SEARCH.name],
      [ORDER_POLICY.version, ORDER_SEARCH.version],
    ],
  );
}

const PER_PAGE = 50;

async function page(
  client: Client,
  number: number,
  filter = '',
): Promise<{ total: number; assignments: readonly unknown[] }> {
  const { status, body } = await client.send('GET', `${PATH}?per_page=${PER_PAGE}&page=${number}${filter}`);
  if (status !== 200) throw new Error(`${status} ${body.toString().slice(0, 300)}`);
  return JSON.parse(body.toString()) as { total: number; assignments: unknown[] };
}

/** Returns medians of interleaved requests in milliseconds, and the slowest of pages from all parts of the list. */
async function measurePages(client: Client, { users: { broker_2 } }: Demo, requests: number) {
  const measured = [];
  for (const { name, filter } of [
    { name: '', filter: '' },
    { name: ', active', filter: '&status=active' },
    { name: ', of one contractor', filter: `&broker_id=${broker_2.id}` },
  ]) {
    const last = Math.floor((await page(client, 1, filter)).total / PER_PAGE);
    const took = new Map(
      [1, 2, Math.round(last / 4), Math.round(last / 2), Math.round((last * 3) / 4), last].map((number) => [
        number,
        [] as number[],
      ]),
    );
    for (let round = -5; round < requests; round++) {
      for (const [number, times] of took) {
        const time =
          (await seconds(async () => {
            if ((await page(client, number, filter)).assignments.length !== PER_PAGE)
              throw new Error(`Page ${number} is not full.`);
          })) * 1_000;
        if (round >= 0) times.push(time);
      }
    }
    const medians = [...took].map(([number, times]) => ({ number, time: median(times) }));
    const slowest = medians.slice(1).reduce((slow, one) => (one.time > slow.time ? one : slow));
    measured.push({ name, first: medians[0]!.time, slowest: slowest.time, page: slowest.number });
  }
  return measured;
}

const INSERT = `insert into log.events (stream, revision, id, type, version, data, metadata)
  select * from unnest($1::text[], $2::int[], $3::uuid[], $4::text[], $5::smallint[], $6::json[], $7::json[])`;

/** Parameters that insert a second event into as many streams. */
const insertion = (rows: readonly RawRow[]): unknown[] => [
  rows.map(() => `order-${randomUUID()}`),
  rows.map(() => 1),
  rows.map(() => randomUUID()),
  rows.map(({ type }) => type),
  rows.map(() => 1),
  rows.map(({ data }) => JSON.stringify(data)),
  rows.map(({ metadata }) => JSON.stringify(metadata)),
];
