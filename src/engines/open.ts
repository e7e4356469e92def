/** Opens the engines that the configuration names: database, event log, keys. Shared by the service and the command line tools. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { EventLog } from '../events/log.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { createKeyRing, type PostgresKeyRing } from './postgres/key-ring.js';
import { createPostgresLog } from './postgres/log.js';
import { migrate } from './postgres/migrate.js';
import { createPool } from './postgres/pool.js';
import { generatedKey } from './secrets.js';
import { createVault, type Vault } from './vault.js';

export interface EngineOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly masterKey: Buffer | undefined;
  /** Told what the embedded database says. */
  readonly onDatabaseLine?: (line: string) => void;
}

export interface Engines {
  /** UUID of this process. */
  readonly processId: string;
  /** For requests. */
  readonly pool: pg.Pool;
  /** For projections and rebuilds: apart, so that neither waits for the other's connections. */
  readonly projectionPool: pg.Pool;
  readonly log: EventLog;
  readonly keyRing: PostgresKeyRing;
  /** For stored answers. */
  readonly vault: Vault;
  /** Nothing was configured: the database is our own. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** Starts the embedded database unless one is configured, migrates, and opens everything. */
export async function openEngines(options: EngineOptions): Promise<Engines> {
  const { databaseUrl, dataDir } = options;
  const own = databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), ...(options.onDatabaseLine && { log: options.onDatabaseLine }) }) : undefined;
  try {
    return await openOn(databaseUrl ?? own!.url, options, own);
  } catch (error) {
    await own?.stop();
    throw error;
  }
}

export interface AttachOptions extends EngineOptions {
  /** Throw where there is no database yet, instead of making an empty one. */
  readonly mustExist?: boolean;
}

/** For tools, beside a running service or without one: its database, wherever it is; the embedded one is started when it does not run. */
export async function attachEngines(options: AttachOptions): Promise<Engines> {
  const { databaseUrl, dataDir, mustExist = false } = options;
  if (databaseUrl !== undefined) return openOn(databaseUrl, options, undefined);
  const running = await readFile(join(dataDir, 'postgres', 'postgres.url'), 'utf8').then((text) => text.trim(), () => undefined);
  if (running !== undefined && (await answers(running))) return openOn(running, options, undefined);
  if (mustExist && !existsSync(join(dataDir, 'postgres', 'postgres', 'PG_VERSION'))) {
    throw new Error(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL to those of the service.`);
  }
  return openEngines(options);
}

/** The file may have outlived its server, and another one may have the port by now. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  return client.connect().then(() => true, () => false).finally(() => void client.end().catch(() => undefined));
}

async function openOn(url: string, { dataDir, databaseUrl, masterKey }: EngineOptions, own: { stop(): Promise<void> } | undefined): Promise<Engines> {
  if (databaseUrl !== undefined && masterKey === undefined) throw new Error('MASTER_KEY: must be set beside DATABASE_URL (openssl rand -hex 32): it wraps the keys of personal data, and every process needs the same one.');
  const master = masterKey ?? (await generatedKey(dataDir, 'master.key'));
  const pool = createPool(url, { name: 'requests', max: 16 });
  const projectionPool = createPool(url, { name: 'projections', max: 8, statementTimeout: 0, lazyCommit: true });
  const keyPool = createPool(url, { name: 'keys', max: 4, lazyCommit: true });
  const pools = [pool, projectionPool, keyPool];
  try {
    await migrate(projectionPool);
  } catch (error) {
    await Promise.all(pools.map((each) => each.end()));
    throw error;
  }
  const log = createPostgresLog(pool);
  return {
    processId: randomUUID(),
    pool,
    projectionPool,
    log,
    keyRing: createKeyRing(keyPool, createVault(master, 'subject keys')),
    vault: createVault(master, 'stored answers'),
    embedded: databaseUrl === undefined,
    async close() {
      await log.close();
      await Promise.all(pools.map((each) => each.end()));
      await own?.stop();
    },
  };
}
