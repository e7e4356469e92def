/**
 * Fresh, empty databases for tests: on the server of `TEST_DATABASE_URL`, else on a PostgreSQL of this machine that
 * lets us in without a password and has room for all, else on an embedded one that is started once a run.
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
  /** Ends what is still connected and removes the database. */
  drop(): Promise<void>;
}

/** PostgreSQL 15, the oldest that the service runs on. */
const OLDEST = 150_000;
/** A service takes 14 (`startTestService`); tests have up to three of them, and three files may run at a time. */
const CONNECTIONS = process.argv.includes('--parallel') ? 200 : 100;
/**
 * For the environment of services and commands of tests: half as many as by default, since connecting is most of what
 * their start costs PostgreSQL.
 */
export const FEW_CONNECTIONS = { DATABASE_CONNECTIONS: '14' };
const INSUFFICIENT_PRIVILEGE = '42501';
/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 4 * 2 ** 30;
/** Bytes of a path to a socket, minus its file name. */
const LONGEST_SOCKET = 80;

let server: Promise<string> | undefined;
let stopServer: (() => Promise<void>) | undefined;

/**
 * The server that databases are made on; test/support/run.ts starts it for all processes of a run. May take some
 * seconds.
 */
export const startTestServer = (): Promise<string> => (server ??= findServer());

/** An empty database with a name of its own, not yet migrated; or a copy of one that nobody is connected to. */
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

/** Where nothing is made durable, copying files costs a third of writing them to the log. */
async function copyingOn(url: string): Promise<string> {
  const [server] = await query<{ fsync: string }>(url, "select current_setting('fsync') as fsync");
  return server!.fsync === 'off' ? ' strategy file_copy' : '';
}

/**
 * A database that is filled once in a run, by the first process that asks for it, and copied from then on.
 * @param fill leaves nobody connected to it; what it returns is kept beside the database
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
    await lock.query(`drop database if exists ${prefix()}${name} with (force)`); // left by a process that was ended
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

/** What nobody dropped of this run. */
export async function removeDatabases(): Promise<void> {
  const url = await startTestServer();
  for (const { datname } of await query<{ datname: string }>(
    url,
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix()],
  ))
    await drop(url, datname);
}

/** A role that is no superuser may not end an autovacuum worker, which is there for a moment now and then. */
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

/** Rows of one statement, over a connection of its own. */
export async function query<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the query that fails for it says so
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Its version, and where it is. */
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
  return startOwn();
}

async function maySetUp(url: string): Promise<boolean> {
  const text = `select from pg_roles where rolname = current_user and (rolsuper or rolcreatedb) and current_setting('server_version_num')::int >= ${OLDEST} and current_setting('max_connections')::int >= ${CONNECTIONS}`;
  return query(url, text).then(
    (rows) => rows.length === 1,
    () => false,
  );
}

/**
 * A server of this run. Creating and dropping a database touches 900 files, so its files are in memory where that has
 * room. Clients connect over a Unix socket, which costs less than TCP.
 */
async function startOwn(): Promise<string> {
  const dataDir = await mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), 'transport-test-'));
  const socketDir = join(dataDir, 's');
  await mkdir(socketDir);
  await chmod(dataDir, 0o711);
  await chmod(socketDir, 0o777); // the server runs as another user where this process is root
  const { url, stop } = await startEmbeddedPostgres({
    dataDir,
    ...(socketDir.length < LONGEST_SOCKET && { socketDir }),
    // The cluster is deleted after the run: it need not survive a crash, and is never vacuumed.
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
    return false; // no such folder on this system
  }
}

/** Ends it where it is an embedded one. */
export async function stopTestServer(): Promise<void> {
  await stopServer?.();
  server = stopServer = undefined;
}
