/** Shared code of all scenarios: databases, processes, statistics. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Readiness } from '../src/api/core/health.js';
import { startEmbeddedPostgres } from '../src/engines/embedded-postgres/start.js';
import { migrate } from '../src/engines/postgres/migrate.js';
import { serviceEnvironment } from '../test/support/processes/environment.js';

export const MASTER_KEY = '11'.repeat(32);

/** Node flags of `npm start`, so that the measured process runs as in production. */
const NODE_FLAGS: readonly string[] = (
  JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
).scripts.start.match(/--\S+/g)!;

export interface Databases {
  /** Creates a new, migrated database, which is dropped at the end. */
  fresh(name: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens the server of DATABASE_URL, or else an embedded PostgreSQL that is created for this run. */
export async function openDatabases(): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), 'transport-bench-'));
  const own = process.env['DATABASE_URL']
    ? undefined
    : await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  const base = process.env['DATABASE_URL'] ?? own!.url;
  const admin = new pg.Client({ connectionString: base });
  await admin.connect();
  const made: string[] = [];
  return {
    async fresh(name) {
      const database = `bench_${name}_${process.pid}`;
      await admin.query(`drop database if exists ${database} with (force)`);
      await admin.query(`create database ${database}`);
      made.push(database);
      const url = new URL(base);
      url.pathname = `/${database}`;
      const pool = new pg.Pool({ connectionString: url.href, max: 1 });
      await migrate(pool);
      await pool.end();
      return url.href;
    },
    async close() {
      // The embedded server is removed as a whole.
      if (!own) for (const database of made) await admin.query(`drop database if exists ${database} with (force)`);
      await admin.end();
      await own?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Process {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Child processes to kill when a run fails. */
const alive = new Set<ChildProcess>();
process.once('exit', () => alive.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts a script that prints `ready <url>`. `environment`: all variables of the service; it inherits none of this
 * process. `flags`: additional Node flags. `args`: arguments of the script.
 */
export async function startProcess(
  script: string,
  environment: Record<string, string> = {},
  flags: readonly string[] = [],
  args: readonly string[] = [],
): Promise<Process> {
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, ...(process.env['BENCH_NODE_ARGS']?.split(' ') ?? []), ...flags, script, ...args],
    {
      env: serviceEnvironment({
        LOG_LEVEL: 'warn',
        PORT: '0',
        RATE_LIMIT_READ: '1000000',
        RATE_LIMIT_WRITE: '1000000',
        ...environment,
      }),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  const url = await readyLine(child);
  return {
    url,
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export const startService = (
  databaseUrl: string,
  environment: Record<string, string> = {},
  flags?: readonly string[],
): Promise<Process> =>
  startProcess('dist/src/main.js', { DATABASE_URL: databaseUrl, MASTER_KEY, ...environment }, flags);

async function readyLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! }))
    if (line.startsWith('ready ')) return line.slice(6);
  throw new Error('The process ended before it was ready.');
}

/**
 * Waits until every read model of a service has processed its whole log, so that earlier work does not affect the next
 * measurement.
 */
export async function waitUntilIdle(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (let isIdle = false; !isIdle;) {
    await sleep(50);
    const { rows } = await client.query<{ isIdle: boolean }>(
      `select min(nullif(position, '')::bigint) >= (select max(position) from log.events) as "isIdle" from projections.checkpoints`,
    );
    isIdle = rows[0]!.isIdle;
  }
  await client.end();
}

/** Waits until every read model of a running service is up to date, with any log engine. */
export async function waitUntilCaughtUp({ url }: Pick<Process, 'url'>): Promise<void> {
  for (;;) {
    const { projections } = (await (await fetch(`${url}/health/ready`)).json()) as Readiness;
    if (projections.length > 0 && projections.every(({ caught_up }) => caught_up)) return;
    await sleep(50);
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Returns the value below which a share of the sample lies. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

export const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
};
