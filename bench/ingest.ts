/** (a) Ingest over HTTP, until accepted and until visible, against bare inserts of as many rows into the same table. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createClient, inParallel, type Client } from './http.js';
import { push } from './documents.js';
import { seconds } from './support.js';

export const CONNECTIONS = 16;
const PATH = '/api/v1/otep/ingest';

export interface IngestFigures {
  /** Events per second until every push has a response. */
  readonly accepted: number;
  /** Events per second until a read with the last position returns them. */
  readonly visible: number;
}

export async function measureIngest(url: string, key: string, requests: number): Promise<IngestFigures> {
  const client = createClient(url, CONNECTIONS, key);
  const pushes = Array.from({ length: requests }, () => push());
  let last = '';
  let accepted = 0;
  const visible = await seconds(async () => {
    accepted = await seconds(() =>
      inParallel(pushes, CONNECTIONS, async ({ body }) => {
        const answer = await client.send('POST', PATH, { body });
        if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString().slice(0, 300)}`);
        const position = answer.headers['x-event-position'] as string;
        if (position > last) last = position;
      }),
    );
    await readUntilVisible(client, pushes[0]!.numbers[0]!, last);
  });
  client.close();
  const events = requests * 100;
  return { accepted: events / accepted, visible: events / visible };
}

const POLL_MS = 5;

/**
 * Waits until the number is readable. Without a position it polls every few milliseconds, so no request waits for the
 * read model.
 */
export async function readUntilVisible(client: Client, number: string, position?: string): Promise<void> {
  for (;;) {
    const { status } = await client.send(
      'GET',
      `/api/v1/otep/trackings/${number}`,
      position === undefined ? {} : { headers: { 'x-event-position': position } },
    );
    if (status === 200) return;
    if (status !== (position === undefined ? 404 : 503)) throw new Error(`unexpected ${status}`);
    if (position === undefined) await sleep(POLL_MS);
  }
}

/** Rows as the service stores them, to be inserted again under other ids. */
export interface RawRow {
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** Returns 100 rows that one push wrote to the log. */
export async function sampleRows(databaseUrl: string): Promise<readonly RawRow[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<RawRow>(
    "select type, data, metadata from log.events where type = 'TrackingEventRecorded' order by position desc limit 100",
  );
  await client.end();
  return rows;
}

const INSERT = `insert into log.events (stream, revision, id, type, version, data, metadata)
  select * from unnest($1::text[], $2::int[], $3::uuid[], $4::text[], $5::smallint[], $6::json[], $7::json[])`;

/**
 * Upper limit without the service: transactions of 100 such rows (10 streams of 10) over the same number of
 * connections. Returns rows per second.
 */
export async function measureRaw(databaseUrl: string, rows: readonly RawRow[], transactions: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.01)')));
  const took = await seconds(() =>
    inParallel(
      Array.from({ length: transactions }),
      CONNECTIONS,
      async () => void (await pool.query({ name: 'raw', text: INSERT, values: insertion(rows) })),
    ),
  );
  await pool.end();
  return (transactions * 100) / took;
}

function insertion(rows: readonly RawRow[]): unknown[] {
  const streams = Array.from({ length: 10 }, () => `tracking-${randomUUID()}`);
  return [
    rows.map((_, index) => streams[Math.floor(index / 10)]),
    rows.map((_, index) => index % 10),
    rows.map(() => randomUUID()),
    rows.map(({ type }) => type),
    rows.map(() => 1),
    rows.map(({ data }) => JSON.stringify(data)),
    rows.map(({ metadata }) => JSON.stringify(metadata)),
  ];
}
