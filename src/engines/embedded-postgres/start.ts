/** Starts a PostgreSQL server from the npm package, on a machine that has only Node installed. */
import { randomBytes } from 'node:crypto';
import { realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDataFolder } from '../data-folder.js';
import pg from 'pg';
import { findInstallation, packagedBinaries, type Installation } from './binaries.js';
import { prepareCluster, ROLE, setPassword } from './cluster.js';
import { LogFile } from './log-file.js';
import { takeOwnership } from './owner-lock.js';
import { startServer, type Server } from './server.js';
import { defaultSettings } from './settings.js';

const DATABASE = 'transport';

export interface EmbeddedPostgresOptions {
  /**
   * Created if missing. Contains the cluster (`postgres/`), `postgres.lock`, `postgres.log` and, while the server runs,
   * `postgres.url`.
   */
  readonly dataDir: string;
  /** Port on 127.0.0.1; absent: a free one. */
  readonly port?: number;
  /** Existing folder of a Unix socket, in addition to TCP. The URL then contains it as `?host=`. Absent: TCP only. */
  readonly socketDir?: string;
  /** Receives the progress of the start, line by line. The output of the server is written to `postgres.log`. */
  readonly log?: (line: string) => void;
  /** Receives messages for the operator: that the server ended unexpectedly, and that it runs again. */
  readonly warn?: (line: string) => void;
  /** PostgreSQL settings that override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder with bin, lib and share of PostgreSQL 18; absent: the folder of the npm package. */
  readonly binaries?: string;
}

export interface EmbeddedPostgres {
  /**
   * `postgres://transport:<password>@127.0.0.1:<port>/transport`; also stored in `<dataDir>/postgres.url` (mode 0600).
   */
  readonly url: string;
  /** Ends the server within 5 s and disconnects its clients. Repeated calls have no effect. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts PostgreSQL on `dataDir`. Creates the cluster and the database `transport` if they are missing. The owner of
 * the database, the role `transport`, is no superuser and gets a new password on each start. Cleans up after a killed
 * service.
 * @throws if another live process uses the folder, or if the server cannot run here; the message then names
 * DATABASE_URL
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = options.binaries === undefined ? packagedBinaries() : resolve(options.binaries);
  await makeDataFolder(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const undo = new Undo();
  try {
    undo.add(await takeOwnership(join(dataDir, 'postgres.lock')));
    const places = { dataDir, cluster: join(dataDir, 'postgres') };
    const installation = await findInstallation(binaries, places);
    undo.add(installation.discard);
    const url = await startCluster(places, installation, options, undo);
    return { url, stop: () => undo.run() };
  } catch (error) {
    await undo.run().catch(() => undefined); // report the first error
    throw error;
  }
}

async function startCluster(
  places: { dataDir: string; cluster: string },
  installation: Installation,
  options: EmbeddedPostgresOptions,
  undo: Undo,
) {
  const { dataDir, cluster } = places;
  const log = options.log ?? (() => undefined);
  const password = randomBytes(24).toString('hex');
  await prepareCluster(cluster, installation, log);
  await setPassword(cluster, installation, password);
  const logFile = await LogFile.open(join(dataDir, 'postgres.log'));
  undo.add(() => logFile.close());
  const settings = { ...defaultSettings(), ...options.settings };
  const server = await startServer({
    cluster,
    installation,
    port: options.port,
    socketDir: options.socketDir,
    settings,
    logFile,
    log,
    warn: options.warn ?? log,
  });
  undo.add(server.stop);
  log(`PostgreSQL is running on 127.0.0.1:${server.port} as ${installation.account.label}`);
  await ensureDatabase(server, password);
  const socket = options.socketDir === undefined ? '' : `?host=${encodeURIComponent(options.socketDir)}`;
  const url = `postgres://${ROLE}:${password}@127.0.0.1:${server.port}/${DATABASE}${socket}`;
  const urlFile = join(dataDir, 'postgres.url');
  undo.add(() => rm(urlFile, { force: true }));
  await replaceFile(urlFile, `${url}\n`);
  return url;
}

async function ensureDatabase({ port }: Server, password: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: ROLE, password, database: 'postgres', ssl: false });
  client.on('error', () => undefined); // a query that fails because of it reports the error
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(DATABASE)}`);
  } finally {
    await client.end();
  }
}

/** Replaces the file atomically. Other users can never read it. */
async function replaceFile(path: string, content: string): Promise<void> {
  await rm(`${path}.new`, { force: true });
  await writeFile(`${path}.new`, content, { mode: 0o600, flag: 'wx' });
  await rename(`${path}.new`, path);
}

/** Stops the started parts once, in reverse order. Throws the first failure after all of them were tried. */
class Undo {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private done: Promise<void> | undefined;

  add(step: () => Promise<unknown>): void {
    this.steps.unshift(step);
  }

  run(): Promise<void> {
    this.done ??= (async () => {
      const results = [];
      for (const step of this.steps)
        results.push(
          await step().then(
            () => undefined,
            (error: unknown) => ({ error }),
          ),
        );
      const failed = results.find((result) => result !== undefined);
      if (failed) throw failed.error;
    })();
    return this.done;
  }
}
