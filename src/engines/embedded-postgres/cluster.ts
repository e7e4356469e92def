/**
 * Manages the cluster folder. It is created atomically, is owned by the account that runs the server, and admits one
 * role with a new password on each start.
 */
import { randomUUID } from 'node:crypto';
import { lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { dataArgument, runAs, type Account } from './account.js';
import { EXTERNAL_DATABASE_HINT, type Installation } from './binaries.js';
import { endServers, serversIn } from './processes.js';
import { walk } from './walk.js';
import { StartupError } from '../startup-error.js';

export const ROLE = 'transport';
const MAJOR = '18';

/**
 * Allows access only with a password, over loopback or a Unix socket (used by tests only). The superuser of initdb has
 * no password, so it cannot log in.
 */
const HOST_ACCESS = 'host all all 127.0.0.1/32 scram-sha-256\nlocal all all scram-sha-256\n';

const INITDB = [
  '--username=postgres',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--auth-host=scram-sha-256',
  '--auth-local=peer',
  '--no-instructions',
] as const;

/**
 * Prepares a complete cluster that the account owns and that no server uses. Cleans up after interrupted starts
 * (servers, incomplete folders, a postmaster.pid), and runs initdb if there is no cluster yet.
 * @throws if the folder contains other files, or a cluster of another PostgreSQL version
 */
export async function prepareCluster(
  cluster: string,
  installation: Installation,
  log: (line: string) => void,
): Promise<void> {
  await clearLeftovers(cluster, log);
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) await createCluster(cluster, installation, log);
  else if (version.trim() !== MAJOR) {
    throw new StartupError(
      `${cluster} was created by PostgreSQL ${version.trim()}, this is ${MAJOR}: move its data with pg_dump, or start with another DATA_DIR.`,
    );
  }
  await giveTo(cluster, installation.account);
}

async function clearLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  for (const half of await halfMade(cluster)) {
    await endServers(() => serversIn(half));
    await rm(half, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    log(`removed ${half}, a remainder of an interrupted start`);
  }
  const orphanedServers = await serversIn(cluster);
  if (orphanedServers.length > 0) {
    log(`stopping PostgreSQL (process ${orphanedServers.join(', ')}) that a killed service left running`);
    await endServers(() => serversIn(cluster));
  }
  // No server runs in the folder at this point. The pid in this file may belong to an unrelated process, which
  // PostgreSQL would mistake for a server.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

async function halfMade(cluster: string): Promise<readonly string[]> {
  const names = await readdir(dirname(cluster));
  return names
    .filter((name) => name.startsWith(`${basename(cluster)}.new-`))
    .map((name) => join(dirname(cluster), name));
}

async function createCluster(
  cluster: string,
  { native, account }: Installation,
  log: (line: string) => void,
): Promise<void> {
  const foreignFiles = await readdir(cluster).catch(() => []);
  if (foreignFiles.length > 0)
    throw new StartupError(`${cluster} is not a PostgreSQL cluster and not empty: move it away.`);
  const fresh = `${cluster}.new-${randomUUID()}`;
  try {
    await mkdir(fresh, { mode: 0o700 });
    await giveTo(fresh, account);
    await runAs(account, join(native, 'bin', 'initdb'), ['-D', dataArgument(fresh), ...INITDB], { cwd: fresh });
    await writeFile(join(fresh, 'pg_hba.conf'), HOST_ACCESS, { flush: true });
    await rename(fresh, cluster);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dirname(cluster));
  log(`created the PostgreSQL cluster ${cluster}`);
}

/** A rename is durable only after the parent folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

/**
 * Only root can change the owner of files. The owner of the folder itself is changed last, so that an interrupted
 * change is repeated on the next start.
 */
async function giveTo(cluster: string, { owner, label }: Account): Promise<void> {
  const { uid } = await stat(cluster);
  if (uid === owner.uid) return;
  try {
    for await (const { path } of walk(cluster)) await lchown(path, owner.uid, owner.gid);
  } catch (cause) {
    throw new StartupError(
      `${cluster} belongs to uid ${uid}, but PostgreSQL would run as ${label}: start the service as that user. Or: ${EXTERNAL_DATABASE_HINT}`,
      { cause },
    );
  }
}

/**
 * Sets a new password for the role in PostgreSQL's single-user mode. Creates the role if it is missing (no superuser,
 * may create databases). In this mode no client can connect, and no password of the superuser is needed. The server
 * must be stopped.
 * @param password letters and digits
 */
export async function setPassword(cluster: string, { native, account }: Installation, password: string): Promise<void> {
  const statements = [
    `DO $$BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') THEN CREATE ROLE ${ROLE}; END IF; END$$`,
    `ALTER ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${password}'`,
  ];
  const args = [
    '--single',
    '-D',
    dataArgument(cluster),
    '-c',
    'exit_on_error=true',
    '-c',
    'log_min_error_statement=panic',
    'postgres',
  ];
  await runAs(account, join(native, 'bin', 'postgres'), args, { cwd: cluster, input: `${statements.join('\n')}\n` });
}
