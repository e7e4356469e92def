/**
 * A PostgreSQL of its own that can be killed and comes back at the same address; on a small file system where one is
 * given.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from '../../support/processes/ports.js';
import { fillDisk, mountSmallDisk, unmount } from '../../support/processes/small-disk.js';
import { end, spawnPostgres, type PostgresProcess } from '../../support/processes/postgres-process.js';

export interface WorldPostgres {
  /** The same through all its lives. */
  readonly url: string;
  readonly port: number;
  /** kill -9 of the server and of what started it. */
  kill(): Promise<void>;
  /** After a kill, or when it died of a full disk; nothing when it lives. */
  revive(): Promise<void>;
  /** Takes what is left of its file system; the answer gives it back. Undefined: it has none of its own. */
  readonly fillDisk: (() => Promise<() => Promise<void>>) | undefined;
  close(): Promise<void>;
}

/** The write-ahead log is kept small, so that a small file system takes it. */
const SETTINGS = { max_wal_size: '64MB', min_wal_size: '32MB', shared_buffers: '64MB', max_connections: '150' };
const SMALL_DISK_MB = 768;

export async function startWorldPostgres({ smallDisk }: { readonly smallDisk: boolean }): Promise<WorldPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'transport-faults-'));
  const mounted = smallDisk && (await mountSmallDisk(folder, SMALL_DISK_MB));
  const [port] = await freePorts(1);
  let running: PostgresProcess = spawnPostgres({ dataDir: folder, port: port!, settings: SETTINGS });
  const url = await running.url;

  const alive = async (): Promise<boolean> =>
    (running.child.exitCode ?? running.child.signalCode) === null && (await postmaster()) !== undefined;
  const postmaster = async (): Promise<number | undefined> => {
    const pid = Number(
      (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
    );
    return pid > 0 && exists(pid) ? pid : undefined;
  };

  return {
    url,
    port: port!,
    async kill() {
      const pid = await postmaster();
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await end(running, 'SIGKILL');
    },
    async revive() {
      if (await alive()) return;
      await end(running, 'SIGKILL');
      running = spawnPostgres({ dataDir: folder, port: port!, settings: SETTINGS });
      // Each start has a new password; the clients of the one before know the old one.
      await setPassword(await running.url, new URL(url).password);
    },
    fillDisk: mounted ? () => fillDisk(folder) : undefined,
    async close() {
      await end(running, 'SIGTERM').catch(() => undefined);
      if (mounted) await unmount(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function setPassword(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`alter role current_user password '${password.replaceAll("'", "''")}'`);
  await client.end();
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
