/** A standby of an embedded PostgreSQL that ships its WAL, to examine the files on the disk of a standby. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, dataArgument } from '../../../src/engines/embedded-postgres/account.js';
import { findInstallation, packagedBinaries } from '../../../src/engines/embedded-postgres/binaries.js';
import { defaultSettings, networkSettings } from '../../../src/engines/embedded-postgres/settings.js';
import { freePorts } from './ports.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

const REPLAYED_MS = WAIT_LIMIT_MS;

export interface ShippedWal {
  /** Settings of the primary. */
  readonly settings: Readonly<Record<string, string>>;
  /** Folder of the archived segments. */
  readonly archive: string;
}

/** Creates a folder for segments that the account of the cluster can write to. */
export async function shipWal(folder: string, dataDir: string): Promise<ShippedWal> {
  const archive = join(folder, 'archive');
  await mkdir(archive);
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  await chown(archive, uid, gid);
  await chmod(folder, 0o755);
  return { archive, settings: { archive_mode: 'on', archive_command: `cp %p '${archive}/%f'` } };
}

/** Creates the base of a standby: a copy of a stopped cluster. */
export const copyCluster = (dataDir: string, standby: string): Promise<void> =>
  cp(join(dataDir, 'postgres'), join(standby, 'postgres'), { recursive: true, preserveTimestamps: true });

/** Lets the standby replay all archived segments, then stops it so that its pages are on the disk. */
export async function replay(standby: string, { archive }: ShippedWal): Promise<void> {
  const cluster = join(standby, 'postgres');
  const { account, native, discard } = await findInstallation(packagedBinaries(), { dataDir: standby, cluster });
  const { uid, gid } = account.owner;
  for (const name of ['.', ...(await readdir(cluster, { recursive: true }))])
    await chown(join(cluster, name), uid, gid);
  await writeFile(join(cluster, 'standby.signal'), '');
  const last = (await readdir(archive)).sort().at(-1)!;
  const [port] = await freePorts(1);
  const settings = { ...defaultSettings(), ...networkSettings(port!), restore_command: `cp '${archive}/%f' %p` };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { command, args, options } = commandOf(account, join(native, 'bin', 'postgres'), [
    '-D',
    dataArgument(cluster),
    ...given,
  ]);
  const child = spawn(command, args, { ...options, cwd: cluster, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  for (let waited = 0; !output.includes(`restored log file "${last}"`); waited += 100) {
    if (child.exitCode !== null || waited > REPLAYED_MS)
      throw new Error(`The standby does not replay ${last}:\n${output}`);
    await sleep(100);
  }
  // It replays the last segment until it requests the next segment, which does not exist.
  await sleep(2_000);
  child.kill('SIGINT');
  await ended;
  await discard();
}
