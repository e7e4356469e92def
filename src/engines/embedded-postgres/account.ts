/**
 * Selects the account that runs PostgreSQL. PostgreSQL refuses to run as root, so a service that runs as root needs
 * another account for it.
 */
import { execFile, type SpawnOptions } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

export interface Account {
  readonly label: string;
  /** Arguments to prepend to each command line. */
  readonly prefix: readonly string[];
  /** User and group that the process switches to; absent: those of the caller. */
  readonly ids?: Ids;
  /** Required owner of the cluster's files, as the caller sees it. */
  readonly owner: Ids;
}

/**
 * Inherits nothing from the caller's environment: PGDATA, LC_ALL or LD_LIBRARY_PATH of a shell must not reach the
 * server.
 */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

/**
 * Returns the accounts to try, best first. For root these are:
 * - The owner of the data.
 * - `postgres` and `nobody` (existing users; none is created).
 * - Root itself, mapped to another user in a user namespace (util-linux). It can read folders that are closed to all
 *   others.
 * A uid without a name (containers) needs such a namespace for initdb.
 * @param places the cluster folder and its parent folder; the owner of the first one that exists owns the data
 */
export async function accounts(places: {
  readonly cluster: string;
  readonly dataDir: string;
}): Promise<readonly Account[]> {
  const me = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const plain: Account = { label: `uid ${me.uid}`, prefix: [], owner: me };
  const users = await knownUsers();
  const spare = users.get('postgres') ?? users.get('nobody');
  const mapped = spare && ['unshare', '--user', `--map-user=${spare.uid}`, `--map-group=${spare.gid}`, '--'];
  const namespaced: Account[] =
    mapped && process.platform === 'linux' ? [{ label: 'a user namespace', prefix: mapped, owner: me }] : [];
  if (me.uid !== 0) return hasName() ? [plain] : [...namespaced, plain];
  if (process.platform !== 'linux') return [];
  const cluster = await stat(places.cluster).catch(() => undefined);
  const owner = cluster ?? (await stat(places.dataDir));
  const named = [...users.values()].some(({ uid }) => uid === owner.uid);
  const candidates = [cluster || named ? owner : undefined, users.get('postgres'), users.get('nobody')];
  const others = candidates.filter((ids) => ids !== undefined && ids.uid !== 0) as Ids[];
  return [
    ...others.map(({ uid, gid }) => ({ label: `uid ${uid}`, prefix: [], ids: { uid, gid }, owner: { uid, gid } })),
    ...namespaced,
  ];
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function knownUsers(): Promise<ReadonlyMap<string, Ids>> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  return new Map(
    lines.flatMap(([name, , uid, gid]) =>
      name && uid && gid ? [[name, { uid: Number(uid), gid: Number(gid) }] as const] : [],
    ),
  );
}

/**
 * The data folder as the server's command line names it. On Linux it is the working directory. The process enters the
 * folder while it still is root, so parent folders may be closed to the account. Long paths and paths with special
 * characters also work.
 */
export const dataArgument = (cluster: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : cluster);

/** A command line with the additions of the account, as arguments for spawn. */
export function commandOf(account: Account, command: string, args: readonly string[]) {
  const [first = command, ...rest] = [...account.prefix, command, ...args];
  const options = { ...account.ids, env: ENVIRONMENT } satisfies SpawnOptions;
  return { command: first, args: rest, options };
}

/** Runs a program under the account until it exits. @throws with the output of the program */
export async function runAs(
  account: Account,
  command: string,
  args: readonly string[],
  given: { readonly cwd: string; readonly input?: string },
): Promise<void> {
  const spec = commandOf(account, command, args);
  try {
    const running = promisify(execFile)(spec.command, spec.args, { ...spec.options, cwd: given.cwd });
    running.child.stdin?.on('error', () => undefined); // the program may exit without reading its input
    running.child.stdin?.end(given.input ?? '');
    await running;
  } catch (cause) {
    const { stderr, stdout, message } = cause as Error & { readonly stderr?: string; readonly stdout?: string };
    throw new Error(`${stderr?.trim() || stdout?.trim() || message} (${command}, as ${account.label})`, { cause });
  }
}
