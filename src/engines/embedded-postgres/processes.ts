/**
 * Identifies and ends processes with data from the kernel. A pid alone does not identify a process, because pids are
 * reused.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const onLinux = process.platform === 'linux';

interface KernelEntry {
  readonly parent: number;
  /** Clock ticks between the boot of the machine and the start of the process. */
  readonly started: string;
}

/** The entry of a process in /proc (Linux); undefined if the process does not exist or is a zombie. */
async function kernelEntry(pid: number): Promise<KernelEntry | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [state, parent, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const started = rest[17];
  return started === undefined || state === 'Z' || state === 'X' ? undefined : { parent: Number(parent), started };
}

/**
 * The start time of a process, as text that is unique among all processes with this pid; undefined if it does not run.
 */
export async function startMark(pid: number): Promise<string | undefined> {
  if (!onLinux)
    return run('ps', ['-o', 'lstart=', '-p', String(pid)]).then(
      ({ stdout }) => stdout.trim() || undefined,
      () => undefined,
    );
  const entry = await kernelEntry(pid);
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return entry && `${boot.trim()}/${entry.started}`;
}

/**
 * The top-level PostgreSQL processes that run in a cluster folder: the postmaster, or processes that a killed
 * postmaster left behind. PostgreSQL runs inside its data folder, so the working directory is the proof, whatever
 * postmaster.pid contains.
 */
export async function serversIn(cluster: string): Promise<number[]> {
  const folder = await stat(cluster).catch(() => undefined);
  if (!folder) return [];
  if (!onLinux) return serversByCommand(cluster);
  const inside = new Map<number, KernelEntry>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const cwd = await stat(`/proc/${name}/cwd`).catch(() => undefined);
    if (cwd?.ino !== folder.ino || cwd.dev !== folder.dev) continue;
    const program = await readlink(`/proc/${name}/exe`).catch(() => '');
    const entry = await kernelEntry(Number(name));
    if (entry && /\/(postgres|initdb)( \(deleted\))?$/.test(program)) inside.set(Number(name), entry);
  }
  return [...inside].filter(([, { parent }]) => !inside.has(parent)).map(([pid]) => pid);
}

/** Without /proc: finds the postmaster and initdb by the folder in their command line. */
async function serversByCommand(cluster: string): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,command='], { maxBuffer: 64 << 20 });
  const lines = stdout
    .split('\n')
    .filter((line) => /\/(postgres|initdb) /.test(line) && `${line} `.includes(` -D ${cluster} `));
  return lines.map((line) => Number.parseInt(line, 10));
}

/**
 * Fast shutdown, then immediate shutdown (safe: the next start recovers), then kill. Each with its timeout in
 * milliseconds, about 5 s in total.
 */
const ESCALATION = [
  ['SIGINT', 3300],
  ['SIGQUIT', 1000],
  ['SIGKILL', 500],
] as const;

/**
 * Ends PostgreSQL processes and waits until they have exited.
 * @param living returns the processes that still run
 * @throws if one survives SIGKILL
 */
export async function endServers(living: () => Promise<readonly number[]>): Promise<void> {
  for (const [signal, timeoutMs] of ESCALATION) {
    for (const pid of await living()) sendSignal(pid, signal);
    for (const start = performance.now(); performance.now() - start < timeoutMs; await sleep(20)) {
      if ((await living()).length === 0) return;
    }
  }
  throw new Error(`PostgreSQL does not stop (process ${(await living()).join(', ')})`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
