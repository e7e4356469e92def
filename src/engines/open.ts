/** Opens the configured engines: database, event log and keys. The service and the command line tools share it. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { EventLog } from '../events/core/log.js';
import { leaseHolder, timeLimits, type LeaseHolder, type TimeLimits } from '../events/core/time-limits.js';
import { keysOf, settleKeys } from './configured-keys.js';
import { connectLog } from './connect-log.js';
import { startEmbeddedPostgres } from './embedded-postgres/start.js';
import { waitAtMost } from './timeouts.js';
import { createKeyRing, type PostgresKeyRing } from './postgres/key-ring.js';
import { expectKeysOfLog } from './log-keys.js';
import { createPostgresLog } from './postgres-log/log.js';
import { openKnownKeys, type Purpose } from './postgres/known-keys.js';
import { migrate } from './postgres/migrate.js';
import { createPool } from './postgres/pool.js';
import { createVault, vaultOf, type Vault } from './vault.js';
import type { BlindTrigrams } from '../events/core/blind-trigrams.js';
import { createBlindTrigrams } from './blind-trigrams.js';
import { createBlindIndex, type BlindIndex } from './blind-index.js';
import { StartupError } from './startup-error.js';

export interface EngineOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Maximum number of connections of all pools together; a multiple of 7 is divided without a remainder. */
  readonly databaseConnections?: number;
  /** Address of the event log; undefined: the log is in the database. */
  readonly eventStoreUrl: string | undefined;
  readonly masterKey: Buffer | undefined;
  /** Ed25519 private key, 32 bytes; absent with a configured database: nothing is signed. */
  readonly signingKey?: Buffer | undefined;
  /** Base of all time limits; absent: the default. */
  readonly leaseSeconds?: number;
  /** Also open if the read models were built from the log of another engine: for tools that are about to drop them. */
  readonly anySource?: boolean;
  /**
   * Receives, every ten seconds, the reason why EventStoreDB does not respond yet. Absent: opening fails with that
   * reason.
   */
  readonly onLogUnavailable?: (error: unknown) => void;
  /** Receives the log lines of the embedded database. */
  readonly onDatabaseLine?: (line: string) => void;
  /** Called when the embedded database ended unexpectedly, and when it runs again. */
  readonly onDatabaseTrouble?: (line: string) => void;
}

export interface Engines {
  readonly limits: TimeLimits;
  /** Identifies this process as a reader of the log. */
  readonly holder: LeaseHolder;
  /** Connections for requests. */
  readonly pool: pg.Pool;
  /** Connections for projections and rebuilds: a separate pool, so that neither waits for the other's connections. */
  readonly projectionPool: pg.Pool;
  /** Connections for keys and ids that the next append uses. They are durable no later than the append. */
  readonly aheadPool: pg.Pool;
  readonly log: EventLog;
  /** The engine that stores the log. */
  readonly logEngine: 'postgres' | 'eventstore';
  readonly keyRing: PostgresKeyRing;
  /** For stored responses. */
  readonly vault: Vault;
  /** 32 bytes for one purpose: the same in every process and after a restart. */
  readonly secretFor: (purpose: Purpose) => Buffer;
  /** For backups: directly under MASTER_KEY, because the other secrets are part of the backup. */
  readonly backupVault: Vault;
  /** For the state of the authorization server. */
  readonly oauthVault: Vault;
  /** For batches of orders that are queued. */
  readonly batchVault: Vault;
  /** For the work and the artifacts of jobs. */
  readonly jobVault: Vault;
  /** For secrets, addresses and responses of webhooks. */
  readonly webhookVault: Vault;
  /** Signs tree heads of the log; undefined if no key is configured. */
  readonly signingKey: Buffer | undefined;
  /** Index of users' e-mail addresses. */
  readonly emailIndex: BlindIndex;
  readonly masterKey: Buffer;
  /** Index of names, phones and addresses, for the search of orders. */
  readonly searchIndex: BlindTrigrams;
  /** Whether the service runs its own database, because none was configured. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** Starts the embedded database unless another one is configured, migrates, and opens all engines. */
export async function openEngines(options: EngineOptions): Promise<Engines> {
  const { databaseUrl, dataDir } = options;
  // Before the database is created: if keys are missing next to an existing database, they are lost.
  if (databaseUrl === undefined) await keysOf(options);
  const own =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({
          dataDir: join(dataDir, 'postgres'),
          ...(options.onDatabaseLine && { log: options.onDatabaseLine }),
          ...(options.onDatabaseTrouble && { warn: options.onDatabaseTrouble }),
        })
      : undefined;
  return openOn(databaseUrl ?? own!.url, options, own);
}

export interface AttachOptions extends EngineOptions {
  /** Throw if there is no database yet, instead of creating an empty one. */
  readonly mustExist?: boolean;
}

/** For tools, whether the service runs or not: opens its database. Starts the embedded database if it does not run. */
export async function attachEngines(options: AttachOptions): Promise<Engines> {
  const { databaseUrl, dataDir, mustExist = false } = options;
  if (databaseUrl !== undefined) return openOn(databaseUrl, options, undefined);
  const running = await readFile(join(dataDir, 'postgres', 'postgres.url'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
  if (running !== undefined && (await answers(running))) return openOn(running, options, undefined);
  if (mustExist && !existsSync(join(dataDir, 'postgres', 'postgres', 'PG_VERSION'))) {
    throw new StartupError(
      `${dataDir} contains no database. Set DATA_DIR or DATABASE_URL to the values of the service.`,
    );
  }
  return openEngines(options);
}

/** Whether the database responds. The file may have outlived its server, and another process may use the port. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  return client
    .connect()
    .then(
      () => true,
      () => false,
    )
    .finally(() => void client.end().catch(() => undefined));
}

/** Maximum time of each step of a shutdown: the embedded database must be stopped even if an earlier step hangs. */
const CLOSE_MS = 2_000;

async function openOn(
  url: string,
  options: EngineOptions,
  own: { stop(): Promise<void> } | undefined,
): Promise<Engines> {
  const { databaseUrl, databaseConnections = 28, eventStoreUrl, masterKey } = options;
  if (databaseUrl !== undefined && masterKey === undefined)
    throw new StartupError(
      'MASTER_KEY: must be set together with DATABASE_URL (openssl rand -hex 32): it encrypts the keys of personal data, and every process needs the same one.',
    );
  const logEngine = eventStoreUrl === undefined ? 'postgres' : 'eventstore';
  let keys = await keysOf(options);
  const limits = timeLimits(options.leaseSeconds);
  const share = (sevenths: number): number => Math.floor((databaseConnections * sevenths) / 7);
  const pool = createPool(url, { name: 'requests', max: share(4), limits });
  const projectionPool = createPool(url, {
    name: 'projections',
    max: share(2),
    limits,
    statementTimeout: 0,
    lazyCommit: true,
  });
  // A key must be at least as durable as the data that it encrypts, and a reserved id as durable as its use. Lazy
  // commit is therefore allowed only if the append follows in the same database.
  const aheadPool = createPool(url, { name: 'ahead', max: share(1), limits, lazyCommit: eventStoreUrl === undefined });
  const pools = [pool, projectionPool, aheadPool];
  let keyRing: PostgresKeyRing | undefined;
  let log: EventLog | undefined;
  const close = async (): Promise<void> => {
    if (keyRing) await waitAtMost(keyRing.close(), CLOSE_MS);
    if (log) await waitAtMost(log.close(), CLOSE_MS);
    await waitAtMost(Promise.all(pools.map((each) => each.end())), CLOSE_MS);
    await own?.stop();
  };
  try {
    await migrate(projectionPool);
    keys = await settleKeys(pool, options, keys);
    if (eventStoreUrl === undefined) log = createPostgresLog(pool);
    else {
      log = await connectLog(eventStoreUrl, options.onLogUnavailable, limits);
      // Before the database records the keys as its own.
      await expectKeysOfLog(log, pool, keys);
    }
    const secrets = await openKnownKeys(pool, keys);
    if (!options.anySource) await claimSource(pool, logEngine);
    keyRing = createKeyRing({ pool, makingPool: aheadPool, vault: vaultOf(secrets['subject keys']) });
    return {
      limits,
      holder: leaseHolder(randomUUID(), limits),
      pool,
      projectionPool,
      aheadPool,
      log,
      logEngine,
      keyRing,
      vault: vaultOf(secrets['stored answers']),
      secretFor: (purpose) => secrets[purpose],
      backupVault: backupVaultOf(keys.master),
      oauthVault: vaultOf(secrets['authorization server']),
      batchVault: vaultOf(secrets['order batches']),
      jobVault: vaultOf(secrets['jobs']),
      webhookVault: vaultOf(secrets['webhooks']),
      signingKey: keys.signing,
      masterKey: keys.master,
      emailIndex: createBlindIndex(secrets['e-mail addresses']),
      searchIndex: createBlindTrigrams(createBlindIndex(secrets['order search'])),
      embedded: own !== undefined && eventStoreUrl === undefined,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Positions of two engines never mix: read models that were built from one log must not continue with another. */
async function claimSource(pool: pg.Pool, engine: string): Promise<void> {
  const { rows } = await pool.query<{ engine: string }>(
    'with claimed as (insert into projections.source (engine) values ($1) on conflict do nothing returning engine) select engine from claimed union all select engine from projections.source limit 1',
    [engine],
  );
  if (rows[0]!.engine !== engine)
    throw new StartupError(
      `The read models of this database come from a log in ${rows[0]!.engine}, but the configuration names one in ${engine}. After a move: npm run log -- adopt.`,
    );
}

/** The vault for the marker in a backup that shows whether a master key belongs to the backup. */
export const backupVaultOf = (masterKey: Buffer): Vault => createVault(masterKey, 'stored answers');
