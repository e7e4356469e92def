/**
 * Telling processes apart and ending them, by what the kernel says of them: a pid alone names nothing, it is reused.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const onLinux = process.platform === 'linux';

interface KernelEntry {
  readonly parent: number;
  /** Clock ticks since the machine came up. */
  readonly started: string;
}

/** What /proc (Linux) says of a process; undefined when there is none, or only its zombie. */
async function kernelEntry(pid: number): Promise<KernelEntry | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [state, parent, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const started = rest[17];
  return started === undefined || state === 'Z' || state === 'X' ? undefined : { parent: Number(parent), started };
}

/** When a process started, as text that no other process of this pid ever has; undefined when it does not live. */
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
 * PostgreSQL processes at work in a cluster folder that no other of them has started: the postmaster, or what a killed
 * postmaster left. PostgreSQL works inside its data folder, so the working directory is the proof, whatever
 * postmaster.pid says.
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

/** Without /proc: the postmaster and initdb carry the folder in their command line. */
async function serversByCommand(cluster: string): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,command='], { maxBuffer: 64 << 20 });
  const lines = stdout
    .split('\n')
    .filter((line) => /\/(postgres|initdb) /.test(line) && `${line} `.includes(` -D ${cluster} `));
  return lines.map((line) => Number.parseInt(line, 10));
}

/**
 * Fast shutdown, then immediate shutdown (safe: the next start recovers), then the end; patience in milliseconds, 5 s
 * in all.
 */
const ESCALATION = [
  ['SIGINT', 3300],
  ['SIGQUIT', 1000],
  ['SIGKILL', 500],
] as const;

/**
 * Ends PostgreSQL processes and waits until they are gone.
 * @param living answers which of them still live
 * @throws when one outlives SIGKILL
 */
export async function endServers(living: () => Promise<readonly number[]>): Promise<void> {
  for (const [signal, patience] of ESCALATION) {
    for (const pid of await living()) sendSignal(pid, signal);
    for (const start = performance.now(); performance.now() - start < patience; await sleep(20)) {
      if ((await living()).length === 0) return;
    }
  }
  throw new Error(`PostgreSQL does not end (process ${(await living()).join(', ')})`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
