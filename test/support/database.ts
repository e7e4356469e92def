/**
 * Fresh, empty databases for tests: on the server of `TEST_DATABASE_URL`, else on a PostgreSQL of this machine that lets us in
 * without a password, else on an embedded one that is started once a run.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/engines/embedded-postgres.js';

export interface FreshDatabase {
  readonly url: string;
  /** Ends what is still connected and removes the database. */
  drop(): Promise<void>;
}

/** PostgreSQL 15, the oldest that the service runs on. */
const OLDEST = 150_000;

let server: Promise<string> | undefined;
let stopServer: (() => Promise<void>) | undefined;

/** An empty database with a name of its own; not yet migrated. The first call may take some seconds. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const url = await (server ??= findServer());
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(url, `create database ${name} template template0 encoding 'UTF8'`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => query(url, `drop database if exists ${name} with (force)`).then(() => undefined) };
}

/** Rows of one statement, over a connection of its own. */
export async function query<T extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the query that fails for it says so
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function findServer(): Promise<string> {
  if (process.env['TEST_DATABASE_URL']) return process.env['TEST_DATABASE_URL'];
  for (const user of new Set(['root', userInfo().username, 'postgres'])) {
    const url = `postgres://${encodeURIComponent(user)}@127.0.0.1:5432/postgres`;
    if (await maySetUp(url)) return url;
  }
  return startOwn();
}

async function maySetUp(url: string): Promise<boolean> {
  const text = `select from pg_roles where rolname = current_user and (rolsuper or rolcreatedb) and current_setting('server_version_num')::int >= ${OLDEST}`;
  return query(url, text).then((rows) => rows.length === 1, () => false);
}

async function startOwn(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'transport-test-'));
  const { url, stop } = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '200' } }); // a service takes up to 30, and several run at a time
  stopServer = async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return url;
}

// Outside of mocha (a benchmark) whoever wants the embedded server to end calls this.
export async function stopTestServer(): Promise<void> {
  await stopServer?.();
  server = stopServer = undefined;
}

// Imported by a suite, this is a hook of the whole run.
if (typeof globalThis.after === 'function') globalThis.after('stop the test server', stopTestServer);
