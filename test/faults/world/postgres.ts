/** A separate PostgreSQL that can be killed and returns at the same address; on a small file system if one is given. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from '../../support/processes/ports.js';
import { fillDisk, mountSmallDisk, unmount } from '../../support/processes/small-disk.js';
import { end, spawnPostgres, type PostgresProcess } from '../../support/processes/postgres-process.js';

export interface WorldPostgres {
  /** The same after every restart. */
  readonly url: string;
  readonly port: number;
  /** Kills the server and its starter with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it after a kill or a full disk; does nothing if it runs. */
  revive(): Promise<void>;
  /** Fills its file system; the returned function frees the space. Undefined if it has no separate file system. */
  readonly fillDisk: (() => Promise<() => Promise<void>>) | undefined;
  close(): Promise<void>;
}

/** The write-ahead log is kept small, so that a small file system can hold it. */
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
      // Each start has a new password, but the existing clients use the old password.
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
