/**
 * A PostgreSQL server of the service's own, from the npm package alone: for a machine that has Node and nothing else.
 */
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
   * Made when missing. Holds the cluster (`postgres/`), `postgres.lock`, `postgres.log` and, while it runs,
   * `postgres.url`.
   */
  readonly dataDir: string;
  /** On 127.0.0.1; absent: a free one. */
  readonly port?: number;
  /** Existing folder of a Unix socket, in addition to TCP. The URL then names it as `?host=`. Absent: TCP alone. */
  readonly socketDir?: string;
  /** Told what the starter does, a line at a time; what the server says goes to `postgres.log`. */
  readonly log?: (line: string) => void;
  /** Called with news for the operator: that the server ended on its own, and when it runs again. */
  readonly warn?: (line: string) => void;
  /** PostgreSQL settings, over the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder with bin, lib and share of PostgreSQL 18; absent: that of the npm package. */
  readonly binaries?: string;
}

export interface EmbeddedPostgres {
  /**
   * `postgres://transport:<password>@127.0.0.1:<port>/transport`; the same is in `<dataDir>/postgres.url` (mode
   * 0600).
   */
  readonly url: string;
  /** Ends the server (its clients are disconnected) within 5 s. Calling it again does nothing. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts PostgreSQL on `dataDir`, making the cluster when there is none and the database `transport` when it is
 * missing. Its owner, the role `transport`, is no superuser and gets a new password on each start. Takes up what a
 * killed service left behind.
 * @throws when another live process has the folder, and when the server cannot run here: the message then names
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
    await undo.run().catch(() => undefined); // what failed first is what to tell
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
  log(`PostgreSQL runs on 127.0.0.1:${server.port} as ${installation.account.label}`);
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
  client.on('error', () => undefined); // a query that fails for it says so
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(DATABASE)}`);
  } finally {
    await client.end();
  }
}

/** Whole or not at all, and never readable by others. */
async function replaceFile(path: string, content: string): Promise<void> {
  await rm(`${path}.new`, { force: true });
  await writeFile(`${path}.new`, content, { mode: 0o600, flag: 'wx' });
  await rename(`${path}.new`, path);
}

/** What has been started, ended once and in reverse order; the first failure is thrown when all have been tried. */
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
