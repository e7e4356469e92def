/** Under which account PostgreSQL runs: it refuses root, so a service that runs as root needs another one for it. */
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
  /** Precedes each command line. */
  readonly prefix: readonly string[];
  /** What the process changes to; absent: stays the caller. */
  readonly ids?: Ids;
  /** Who the cluster's files must belong to, as the caller sees it. */
  readonly owner: Ids;
}

/** Nothing of the caller's environment: PGDATA, LC_ALL or LD_LIBRARY_PATH of a shell must not reach the server. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

/**
 * Accounts to try, best first. Root: who owns the data, `postgres`, `nobody` (existing users, nothing is created), and
 * at last root itself seen as another user from within a user namespace (util-linux), which reads folders that are
 * closed to all others. A uid that has no name (containers) needs such a namespace for initdb.
 * @param places the cluster folder and the folder around it; the owner of the first that exists owns the data
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
 * The data folder as the server's command line names it. On Linux it is the working directory: the folder is entered
 * while the process still is root, so folders above it may be closed to the account, and no path is too long or too
 * strange.
 */
export const dataArgument = (cluster: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : cluster);

/** A command line with what the account adds to it, for spawn. */
export function commandOf(account: Account, command: string, args: readonly string[]) {
  const [first = command, ...rest] = [...account.prefix, command, ...args];
  const options = { ...account.ids, env: ENVIRONMENT } satisfies SpawnOptions;
  return { command: first, args: rest, options };
}

/** Runs a program to its end under the account. @throws with what it printed */
export async function runAs(
  account: Account,
  command: string,
  args: readonly string[],
  given: { readonly cwd: string; readonly input?: string },
): Promise<void> {
  const spec = commandOf(account, command, args);
  try {
    const running = promisify(execFile)(spec.command, spec.args, { ...spec.options, cwd: given.cwd });
    running.child.stdin?.on('error', () => undefined); // it may end without reading
    running.child.stdin?.end(given.input ?? '');
    await running;
  } catch (cause) {
    const { stderr, stdout, message } = cause as Error & { readonly stderr?: string; readonly stdout?: string };
    throw new Error(`${stderr?.trim() || stdout?.trim() || message} (${command}, as ${account.label})`, { cause });
  }
}
