/**
 * New, empty databases for tests. The server is that of `TEST_DATABASE_URL`, or else a PostgreSQL of this machine that
 * needs no password and allows enough connections. Otherwise an embedded server is started once per run.
 */
import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../src/engines/embedded-postgres/start.js';

export interface FreshDatabase {
  readonly url: string;
  /** Closes open connections and removes the database. */
  drop(): Promise<void>;
}

/** PostgreSQL 15, the oldest version that the service supports. */
const OLDEST = 150_000;
/**
 * Required connections: a service uses 14 (`startTestService`), tests use up to three services, and three files may run
 * in parallel.
 */
const CONNECTIONS = process.argv.includes('--parallel') ? 200 : 100;
/**
 * For the environment of services and commands in tests. Half of the default, because opening connections is most of
 * the cost of their start for PostgreSQL.
 */
export const FEW_CONNECTIONS = { DATABASE_CONNECTIONS: '14' };
const INSUFFICIENT_PRIVILEGE = '42501';
/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 4 * 2 ** 30;
/** Maximum bytes of a socket path without the file name. */
const MAX_SOCKET_PATH = 80;

let server: Promise<string> | undefined;
let stopServer: (() => Promise<void>) | undefined;

/**
 * Returns the server for databases; test/support/run.ts starts it for all processes of a run. May take some seconds.
 */
export const startTestServer = (): Promise<string> => (server ??= findServer());

/**
 * Creates an empty database with a unique name and without migrations, or a copy of a database that has no connections.
 */
export async function freshDatabase(like?: FreshDatabase): Promise<FreshDatabase> {
  const url = await startTestServer();
  const name = `${prefix()}${randomBytes(8).toString('hex')}`;
  const template = like ? new URL(like.url).pathname.slice(1) : 'template0';
  await query(url, `create database ${name} template ${template} encoding 'UTF8'${await (copying ??= copyingOn(url))}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => drop(url, name) };
}

let copying: Promise<string> | undefined;

/** If durability is off, copying files costs a third of writing them to the log. */
async function copyingOn(url: string): Promise<string> {
  const [server] = await query<{ fsync: string }>(url, "select current_setting('fsync') as fsync");
  return server!.fsync === 'off' ? ' strategy file_copy' : '';
}

/**
 * Returns a database that the first process of a run fills; later calls copy it.
 * @param fill must leave no connection open; its result is stored as a comment of the database
 */
export async function templateDatabase(
  name: string,
  fill: (database: FreshDatabase) => Promise<string>,
): Promise<{ readonly database: FreshDatabase; readonly note: string }> {
  const server = await startTestServer();
  const url = new URL(server);
  url.pathname = `/${prefix()}${name}`;
  const database = { url: url.href, drop: () => drop(server, `${prefix()}${name}`) };
  const lock = new pg.Client({ connectionString: server });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [url.pathname]);
    const note = await noteOf(lock, `${prefix()}${name}`);
    if (note !== undefined) return { database, note };
    await lock.query(`drop database if exists ${prefix()}${name} with (force)`); // left by a process that was killed
    await lock.query(`create database ${prefix()}${name} template template0 encoding 'UTF8'`);
    const written = await fill(database);
    await lock.query(`comment on database ${prefix()}${name} is ${pg.escapeLiteral(written)}`);
    return { database, note: written };
  } finally {
    await lock.end();
  }
}

async function noteOf(client: pg.Client, name: string): Promise<string | undefined> {
  const { rows } = await client.query<{ note: string | null }>(
    "select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1",
    [name],
  );
  return rows[0]?.note ?? undefined;
}

const prefix = (): string => `test_${process.env['TEST_RUN'] ?? process.pid.toString(36)}_`;

/** Removes the databases of this run that were not dropped. */
export async function removeDatabases(): Promise<void> {
  const url = await startTestServer();
  for (const { datname } of await query<{ datname: string }>(
    url,
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix()],
  ))
    await drop(url, datname);
}

/** A role that is not a superuser may not terminate an autovacuum worker, which is sometimes active for a moment. */
async function drop(url: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await query(url, `drop database if exists ${name} with (force)`));
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || attempt === 20) throw error;
      await sleep(100);
    }
  }
}

/** Returns the rows of one statement, over a separate connection. */
export async function query<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the failing query reports the error
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Returns version and address of the server. */
export async function describeServer(url: string): Promise<string> {
  const [server] = await query<{ version: string }>(url, `select current_setting('server_version') as version`);
  return `${server!.version} on ${stopServer ? 'an embedded server of this run' : new URL(url).host}`;
}

async function findServer(): Promise<string> {
  if (process.env['TEST_DATABASE_URL']) return process.env['TEST_DATABASE_URL'];
  for (const user of new Set(['root', userInfo().username, 'postgres'])) {
    const url = `postgres://${encodeURIComponent(user)}@127.0.0.1:5432/postgres`;
    if (await maySetUp(url)) return url;
  }
  return startOwnServer();
}

async function maySetUp(url: string): Promise<boolean> {
  const text = `select from pg_roles where rolname = current_user and (rolsuper or rolcreatedb) and current_setting('server_version_num')::int >= ${OLDEST} and current_setting('max_connections')::int >= ${CONNECTIONS}`;
  return query(url, text).then(
    (rows) => rows.length === 1,
    () => false,
  );
}

/**
 * Starts a server for this run. Creating and dropping a database touches 900 files, so the files are in memory if there
 * is enough space. Clients connect over a Unix socket, which is faster than TCP.
 */
async function startOwnServer(): Promise<string> {
  const dataDir = await mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), 'transport-test-'));
  const socketDir = join(dataDir, 's');
  await mkdir(socketDir);
  await chmod(dataDir, 0o711);
  await chmod(socketDir, 0o777); // if this process is root, the server runs as another user
  const { url, stop } = await startEmbeddedPostgres({
    dataDir,
    ...(socketDir.length < MAX_SOCKET_PATH && { socketDir }),
    // The cluster is deleted after the run: it does not have to survive a crash, and is never vacuumed.
    settings: {
      max_connections: '200',
      shared_buffers: '256MB',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      jit: 'off',
    },
  });
  stopServer = async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return url;
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= MEMORY_BYTES;
  } catch {
    return false; // this system has no such folder
  }
}

/** Stops the server if it is an embedded one. */
export async function stopTestServer(): Promise<void> {
  await stopServer?.();
  server = stopServer = undefined;
}
